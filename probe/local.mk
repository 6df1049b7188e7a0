noinst_LIBRARIES += libworld.a
libworld_a_SOURCES =
