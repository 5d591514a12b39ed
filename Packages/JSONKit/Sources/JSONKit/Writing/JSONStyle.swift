/// The differences between the ways of writing values.
protocol JSONStyle {
    associatedtype Failure: Error

    /// The number of spaces that each level is indented by; nil for no white space.
    var indentation: Int? { get }

    /// Indicates whether invisible characters in strings are escaped, beyond the mandatory escapes.
    var escapesInvisible: Bool { get }

    /// The members in the order in which they are written.
    func arrange(_ object: JSONObject) -> [JSONObject.Entry]

    /// The text of a number.
    ///
    /// - Parameter path: Tells where the number stands.
    func text(of number: JSONNumber, at path: () -> JSONPath) throws(Failure) -> String
}

/// Writes members in their order and numbers as they are.
struct JSONPlainStyle: JSONStyle {
    let indentation: Int?
    let escapesInvisible: Bool

    func arrange(_ object: JSONObject) -> [JSONObject.Entry] { object.members }

    func text(of number: JSONNumber, at path: () -> JSONPath) -> String { number.text }
}
