examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = \
	%D%/examples/proxy.yaml \
	%D%/examples/with-github.yaml
