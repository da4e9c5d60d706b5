package ledger

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// holder names who holds the lock, for a message: the kernel keeps the list, so
// no writer has to pay for leaving its name.
func holder(path string) string {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return ""
	}
	list, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	// "1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF"; those who wait have "->"
	// in the second field.
	inode := fmt.Sprintf(":%d", st.Ino)
	for line := range strings.Lines(string(list)) {
		w := strings.Fields(line)
		if len(w) < 6 || w[1] == "->" || !strings.HasSuffix(w[5], inode) {
			continue
		}
		name, err := os.ReadFile("/proc/" + w[4] + "/comm")
		if err != nil {
			return ", process " + w[4] + " holds it"
		}
		return fmt.Sprintf(", process %s (%s) holds it", w[4], strings.TrimSpace(string(name)))
	}
	return ""
}
