package acts

// Place says where a path word lands.
type Place struct {
	// Path is the normalised absolute path (forward slashes, no `.`, `..`, `//`
	// or trailing slash; drive letters upper case) as far as it is known.
	Path string
	// Known is set where Path is the whole path.
	Known bool
	// Scratch is set where the path is certainly strictly inside a known scratch
	// root: /tmp, /var/tmp, /dev/shm, $TMPDIR, $TEMP, $TMP, $RUNNER_TEMP, or a
	// path that mktemp returned.
	Scratch bool
	// Null is set for /dev/null, NUL, $null and the standard descriptors.
	Null bool
	// Why says why the path is not known, or is empty.
	Why string
}
