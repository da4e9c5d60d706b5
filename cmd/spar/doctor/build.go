package doctor

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// sameBuild reports whether two programs are the same one, by their bytes. A
// settings file of a stranger's project may name any program, so it is compared
// and not asked: that would start it.
func sameBuild(path, self string) (bool, error) {
	if self == "" {
		return false, errors.New("where this binary is can't be told")
	}
	a, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, err := os.Open(self)
	if err != nil {
		return false, err
	}
	defer b.Close()
	x, err := a.Stat()
	if err != nil {
		return false, err
	}
	y, err := b.Stat()
	if err != nil {
		return false, err
	}
	if os.SameFile(x, y) {
		return true, nil
	}
	if x.Size() != y.Size() || !x.Mode().IsRegular() {
		return false, nil
	}
	one, two := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errA := io.ReadFull(a, one)
		m, errB := io.ReadFull(b, two)
		if !bytes.Equal(one[:n], two[:m]) {
			return false, nil
		}
		if errA != nil || errB != nil {
			ended := func(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
			if ended(errA) && ended(errB) {
				return true, nil
			}
			return false, errors.Join(errA, errB)
		}
	}
}
