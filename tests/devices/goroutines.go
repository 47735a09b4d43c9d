// Writes to the file that it is told of and syncs it, 25 times in each of four
// goroutines.
package main

import "os"

func work(file *os.File, done chan<- error) {
	for i := 0; i < 25; i++ {
		if _, err := file.Write(make([]byte, 100)); err != nil {
			done <- err
			return
		}
		if err := file.Sync(); err != nil {
			done <- err
			return
		}
	}
	done <- nil
}

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	done := make(chan error)
	for i := 0; i < 4; i++ {
		go work(file, done)
	}
	for i := 0; i < 4; i++ {
		if err := <-done; err != nil {
			panic(err)
		}
	}
}
