package sortie

import "errors"

// smallFile is the most that SmallFile reads, in bytes: what it is used for has
// some hundreds.
const smallFile = 64 << 10

var errLarge = errors.New("larger than any file of this kind")
