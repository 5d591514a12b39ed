public import JOSEKit
public import JSONKit

/// The statements from an entity to a trust anchor, read and not verified (OpenID Federation 1.0, section 4).
///
/// The entity's configuration comes first, then each superior's statement about the one before it; the configuration of the
/// trust anchor may follow at the end.
///
/// ```swift
/// let shop = try EntityIdentifier("https://shop.example")
/// let federations = FederationPolicy(anchors: [anchor])
/// let entity = try TrustChain(header: parameter).verify(about: shop, policy: federations, at: now).get()
/// print(try entity.metadata(of: "openid_credential_verifier"))
/// ```
public struct TrustChain: Sendable {
    /// The statements, the subject's configuration first.
    public let statements: [EntityStatement]

    /// The largest number of statements that are read of a chain.
    public static let maximumLength = 16

    /// Puts statements together.
    ///
    /// - Throws: ``FederationError/Code/malformed`` for no statements, ``FederationError/Code/limitExceeded`` for more than
    ///   ``maximumLength``.
    public init(_ statements: [EntityStatement]) throws(FederationError) {
        guard !statements.isEmpty else { throw FederationError(.malformed, "a chain has at least one statement") }
        try Self.requireLength(statements.count)
        self.statements = statements
    }

    /// Reads the header parameter `trust_chain` (section 4.3).
    ///
    /// - Throws: ``FederationError/Code/malformed`` for anything but an array of texts, and the errors of statements.
    public init(header value: JSONValue, limits: JOSELimits = .default) throws(FederationError) {
        guard let elements = value.arrayValue else {
            throw FederationError(.malformed, "it must be an array", path: ["trust_chain"])
        }
        try Self.requireLength(elements.count)
        var statements: [EntityStatement] = []
        for (index, element) in elements.enumerated() {
            let place = "trust_chain[\(index)]"
            guard let text = element.stringValue else {
                throw FederationError(.malformed, "it must be a text", path: [place])
            }
            do throws(FederationError) {
                statements.append(try EntityStatement(compact: text, limits: limits))
            } catch {
                throw error.inside(place)
            }
        }
        try self.init(statements)
    }

    /// The chain as the header parameter `trust_chain`.
    ///
    /// - Throws: As for a statement.
    public func headerValue() throws(FederationError) -> JSONValue {
        .array(
            try statements.map { statement throws(FederationError) in .string(try statement.compactSerialization()) }
        )
    }

    private static func requireLength(_ count: Int) throws(FederationError) {
        guard count <= maximumLength else {
            throw FederationError(.limitExceeded, "\(count) statements, over \(maximumLength)")
        }
    }
}
