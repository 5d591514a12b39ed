/// Why the tape builder stopped, before the place is put into words.
struct TapeFailure: Error {
    let code: CBORError.Code
    let message: String
    /// The byte that is wrong, from the start of the input.
    let position: Int
    /// The index of the entry of the item that is wrong; one past the last if the item could not begin.
    let entry: Int

    init(_ code: CBORError.Code, _ message: String, position: Int, entry: Int) {
        self.code = code
        self.message = message
        self.position = position
        self.entry = entry
    }
}
