# fw/
