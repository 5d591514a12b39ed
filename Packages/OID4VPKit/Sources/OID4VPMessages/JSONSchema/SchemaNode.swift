import JSONKit

/// A compiled schema, which names those inside it by their places in one list.
struct SchemaNode: Sendable {
    /// The demands on the value itself.
    var assertions: [SchemaAssertion] = []
    /// The demands that other schemas make, on the value or on parts of it.
    var applications: [SchemaApplication] = []
}

/// A demand on a value that no other schema is needed for.
enum SchemaAssertion: Sendable {
    case never
    case types([SchemaType])
    case oneOf([JSONValue])
    case pattern(LinearPattern)
    case length(ClosedRange<Int>)
    case minimum(JSONNumber, isExclusive: Bool)
    case maximum(JSONNumber, isExclusive: Bool)
    case multiple(JSONNumber)
    case textMinimum(String)
    case textMaximum(String)
    case elements(ClosedRange<Int>)
    case uniqueElements
    case members(ClosedRange<Int>)
    case required([String])
}

/// A demand that other schemas make.
enum SchemaApplication: Sendable {
    case reference(Int)
    case not(Int)
    case all([Int])
    case any([Int])
    case exactlyOne([Int])
    case conditional(condition: Int, then: Int?, otherwise: Int?)
    case contains(Int)
    case elements(first: [Int], others: Int?)
    case members(named: [(name: String, schema: Int)], matching: [(pattern: LinearPattern, schema: Int)], others: Int?)
    case memberNames(Int)
}

/// A type of JSON Schema.
enum SchemaType: String, Sendable {
    case null, boolean, object, array, number, string, integer

    /// Returns `true` for a value of the type; a number without a fraction is an integer, however it is written.
    func includes(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array), (.number, .number),
            (.string, .string):
            true
        case (.integer, .number(let number)): number.isInteger
        default: false
        }
    }
}
