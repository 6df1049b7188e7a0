examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = %D%/examples/with-github.yaml
