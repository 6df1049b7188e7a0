# proxy/
