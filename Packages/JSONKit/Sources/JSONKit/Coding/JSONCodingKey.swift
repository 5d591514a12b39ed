/// A step of a coding path that belongs to no type of the user's.
struct JSONCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    init(_ component: JSONPath.Component) {
        switch component {
        case .name(let name): self.init(stringValue: name)
        case .index(let index): self.init(intValue: index)
        }
    }

    /// The key for the superclass of a type.
    static let `super` = JSONCodingKey(stringValue: "super")
}
