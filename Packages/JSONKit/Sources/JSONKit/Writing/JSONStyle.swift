/// What distinguishes one way to write values from another.
protocol JSONStyle {
    associatedtype Failure: Error

    /// How many spaces each level is indented by; nil for no white space.
    var indentation: Int? { get }

    /// Whether invisible characters of strings are escaped, beyond those that must be.
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
