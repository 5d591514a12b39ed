/// Looks up one attribute after the other in schemes; neighbors mostly are of one credential type.
package struct AttributeLookup {
    private let schemes: SchemeSnapshot
    /// The name of the type of the attribute that was looked up last: three parts.
    private var type: [UInt8] = []
    /// The names of its attributes that can be asked for; nil for an unknown type.
    private var names: [[UInt8]]?

    /// The answer for an attribute.
    package enum Answer {
        case known
        case unknownType
        case unknownAttribute
        /// The name is not well-formed.
        case malformed
    }

    package init(_ schemes: SchemeSnapshot) {
        self.schemes = schemes
    }

    /// Looks up an attribute, or a credential type as a whole.
    package mutating func find(_ id: AttributeIdentifier) -> Answer {
        if let answer = answer(for: id) { return answer }
        guard id.isWellFormed else { return .malformed }
        let type = id.credentialType
        self.type = Array(type.text.utf8)
        names = schemes.credentialType(type)?.attributes.filter { !$0.isRevocation }.map { Array($0.name.utf8) }
        return answer(for: id) ?? .unknownType
    }

    /// The answer for an attribute of the last type, or nil for another one.
    private func answer(for id: AttributeIdentifier) -> Answer? {
        var text = id.text
        return text.withUTF8 { text in
            let count = type.count
            guard count > 0, text.count >= count, type.indices.allSatisfy({ type[$0] == text[$0] }) else { return nil }
            guard text.count == count || text[count] == UInt8(ascii: ".") else { return nil }
            guard let names else { return .unknownType }
            guard text.count > count else { return .known }
            let length = text.count - count - 1
            let isKnown = names.contains { name in
                name.count == length && name.indices.allSatisfy { name[$0] == text[count + 1 + $0] }
            }
            return isKnown ? .known : .unknownAttribute
        }
    }
}
