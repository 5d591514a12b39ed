extension OutputBuffer {
    /// Appends a byte string.
    @inline(__always)
    mutating func append(bytes: borrowing [UInt8]) {
        append(2, UInt64(bytes.count))
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Appends a text string.
    @inline(__always)
    mutating func append(text: borrowing String) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            append(3, UInt64($0.count))
            unsafe append(contentsOf: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { appendScattered(copy text) }
    }

    /// Appends a text string that does not have its UTF-8 bytes in one place, as bridged ones do not.
    @inline(never)
    private mutating func appendScattered(_ text: String) {
        append(3, UInt64(text.utf8.count))
        for byte in text.utf8 { append(byte) }
    }
}
