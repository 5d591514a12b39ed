public import JSONKit

/// A path to claims of a credential, as a claims path pointer writes it (OpenID for Verifiable Presentations 1.0,
/// section 7).
///
/// ```swift
/// let path = try W3CCredentialPath([
///     .member("credentialSubject"), .member("degrees"), .everyElement, .member("name"),
/// ])
/// let names = credential.values(at: path)
/// ```
public struct W3CCredentialPath: Hashable, Sendable {
    /// A step of a path.
    public enum Step: Hashable, Sendable {
        /// The member of an object.
        case member(ExactText)
        /// The element of an array, counted from 0.
        case element(Int)
        /// Every element of an array.
        case everyElement
    }

    /// The steps, at least one.
    public let steps: [Step]

    /// Makes a path.
    ///
    /// - Throws: ``LinkedDataError/Code/malformedDocument`` for a path without steps, and
    ///   ``LinkedDataError/Code/limitExceeded`` for one of more than 64.
    public init(_ steps: [Step]) throws(LinkedDataError) {
        guard !steps.isEmpty else { throw LinkedDataError(.malformedDocument, "the path has no steps") }
        guard steps.count <= 64 else { throw LinkedDataError(.limitExceeded, "the path has more than 64 steps") }
        self.steps = steps
    }

    /// Reads a claims path pointer: an array of texts, numbers and nulls.
    ///
    /// - Throws: ``LinkedDataError/Code/malformedDocument``, ``LinkedDataError/Code/limitExceeded``.
    public init(json value: JSONValue) throws(LinkedDataError) {
        var steps: [Step] = []
        for element in value.arrayValue ?? [] {
            switch element {
            case .string(let name): steps.append(.member(ExactText(name)))
            case .null: steps.append(.everyElement)
            case .number(let number):
                guard let index = try? number.integer(as: Int.self), index >= 0 else {
                    throw LinkedDataError(.malformedDocument, "an index of the path is no number from 0")
                }
                steps.append(.element(index))
            default: throw LinkedDataError(.malformedDocument, "a step of the path is no text, number or null")
            }
        }
        try self.init(steps)
    }

    /// The values that the path leads to; none if it leads nowhere.
    func values(in members: JSONObject) -> [JSONValue] {
        var values: [JSONValue] = [.object(members)]
        for step in steps {
            switch step {
            case .member(let name): values = values.compactMap { $0[name.text] }
            case .element(let index): values = values.compactMap { $0[index] }
            case .everyElement: values = values.flatMap { $0.arrayValue ?? [] }
            }
        }
        return values
    }
}
