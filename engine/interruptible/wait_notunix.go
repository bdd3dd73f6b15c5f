//go:build !unix

package interruptible

func (r waitingReader) Read(p []byte) (int, error) {
	buf := make([]byte, len(p)) // which a Read that is left behind may still fill
	n, err := await(r.ctx, func() (int, error) { return r.file.Read(buf) }, func(int) {})
	return copy(p, buf[:n]), err
}
