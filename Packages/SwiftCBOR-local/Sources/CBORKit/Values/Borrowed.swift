/// A value that is looked at where it stands.
///
/// Taking an element out of an array retains what it holds, twice the price of writing it. What cannot be copied is lent
/// instead: this has the layout of its only property, so that memory of the one can be looked at as memory of the other.
struct Borrowed<Value>: ~Copyable {
    let value: Value
}

extension Array {
    /// Lends the elements where they stand, one after the other.
    @inline(__always)
    func forEachBorrowed(_ body: (borrowing Borrowed<Element>) -> Void) {
        unsafe withUnsafeBufferPointer { elements in
            unsafe elements.withMemoryRebound(to: Borrowed<Element>.self) { borrowed in
                for index in borrowed.indices { unsafe body(borrowed[index]) }
            }
        }
    }
}
