# sandbox/
