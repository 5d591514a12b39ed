/// A fault found by the tape builder; cheap to throw, and completed to a ``JSONError`` in one place.
struct JSONFailure: Error {
    /// The expected syntax in place of the one found.
    enum Expectation: String {
        case value = "a value"
        case name = "a name"
        case nameOrEnd = "a name or the end of the object"
        case colon = "a colon"
        case commaOrEndOfObject = "a comma or the end of the object"
        case commaOrEndOfArray = "a comma or the end of the array"
    }

    let code: JSONError.Code
    let offset: Int
    var expectation = Expectation.value
}
