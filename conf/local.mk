examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = \
	%D%/examples/proxy.yaml \
	%D%/examples/with-github.yaml
presetsdir = $(pkgdatadir)/presets
dist_presets_DATA = \
	%D%/presets/cargo.yaml \
	%D%/presets/claude-code.yaml \
	%D%/presets/claude-desktop.yaml \
	%D%/presets/codex.yaml \
	%D%/presets/debian.yaml \
	%D%/presets/docker-hub.yaml \
	%D%/presets/gemini-cli.yaml \
	%D%/presets/github.yaml \
	%D%/presets/gitlab.yaml \
	%D%/presets/go.yaml \
	%D%/presets/gradle.yaml \
	%D%/presets/huggingface.yaml \
	%D%/presets/maven.yaml \
	%D%/presets/npm.yaml \
	%D%/presets/pip.yaml \
	%D%/presets/rubygems.yaml \
	%D%/presets/rustup.yaml \
	%D%/presets/ubuntu.yaml \
	%D%/presets/yarn.yaml
