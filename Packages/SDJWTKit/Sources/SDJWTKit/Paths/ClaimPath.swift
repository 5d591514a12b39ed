public import JSONKit

/// A claims path pointer: a selection of claims of a JSON credential (OpenID4VP 1.0, section 7; SD-JWT VC, claim
/// metadata).
///
/// ```swift
/// let street: ClaimPath = ["address", "street_address"]
/// let firstDegree: ClaimPath = ["degrees", 0]
/// let allTypes: ClaimPath = ["degrees", nil, "type"]
/// ```
public struct ClaimPath: Hashable, Sendable {
    /// One step from selected values to values inside them.
    public enum Component: Sendable {
        /// To the member of an object that has this name.
        case name(String)
        /// To the element of an array at this index, which counts from 0.
        case index(Int)
        /// To all elements of an array: `null` in JSON.
        case all
    }

    /// The steps from the root of the credential.
    public var components: [Component]

    /// Makes a path of its steps.
    public init(_ components: [Component]) {
        self.components = components
    }

    /// Reads a path of a DCQL query or of type metadata.
    ///
    /// - Throws: ``SDJWTError/Code/invalidClaimPath`` unless it is a non-empty array of strings, non-negative integers
    ///   and nulls.
    public init(json value: JSONValue) throws(SDJWTError) {
        guard case .array(let elements) = value, !elements.isEmpty else {
            throw SDJWTError(.invalidClaimPath, "a claims path pointer is a non-empty array")
        }
        components = try elements.map { element throws(SDJWTError) in try Component(json: element) }
    }

    /// The path as written in a DCQL query or in type metadata.
    public var json: JSONValue { .array(components.map(\.json)) }

    /// The path with one more step.
    func appending(_ component: Component) -> ClaimPath {
        ClaimPath(components + [component])
    }
}

extension ClaimPath: ExpressibleByArrayLiteral {
    /// A path of its steps: names, indices, and nil for all elements.
    public init(arrayLiteral elements: Component...) {
        self.init(elements)
    }
}

extension ClaimPath: CustomStringConvertible {
    /// The path in JSON, such as `["degrees",null,"type"]`.
    public var description: String { json.description }
}

extension ClaimPath.Component: Hashable {
    /// Returns `true` for steps to the same place; names are compared by their UTF-8 bytes.
    public static func == (a: ClaimPath.Component, b: ClaimPath.Component) -> Bool {
        switch (a, b) {
        case (.name(let a), .name(let b)): a.hasSameBytes(as: b)
        case (.index(let a), .index(let b)): a == b
        case (.all, .all): true
        default: false
        }
    }

    /// Feeds what equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .name(let name):
            hasher.combine(0)
            for byte in name.utf8 { hasher.combine(byte) }
        case .index(let index):
            hasher.combine(1)
            hasher.combine(index)
        case .all: hasher.combine(2)
        }
    }
}

extension ClaimPath.Component: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    /// A step to a member.
    public init(stringLiteral value: String) { self = .name(value) }

    /// A step to an element.
    public init(integerLiteral value: Int) { self = .index(value) }

    /// A step to all elements.
    public init(nilLiteral: ()) { self = .all }

    /// Reads a step.
    fileprivate init(json value: JSONValue) throws(SDJWTError) {
        switch value {
        case .string(let name): self = .name(name)
        case .null: self = .all
        case .number(let number):
            guard let index = try? number.integer(as: Int.self), index >= 0 else {
                throw SDJWTError(.invalidClaimPath, "\(number) is no index of a claims path pointer")
            }
            self = .index(index)
        default: throw SDJWTError(.invalidClaimPath, "a claims path pointer holds a value of kind \(value.kind)")
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .name(let name): .string(name)
        case .index(let index): .integer(index)
        case .all: .null
        }
    }
}
