# probe/: the pretend world
