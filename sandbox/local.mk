# sandbox
