import JOSEKit
import JSONKit

extension ResponseExpectation {
    /// The expectation as JSON text, for the store of a transaction.
    ///
    /// It holds the private key for the response: keep it where the verifier's other secrets are, and no longer than
    /// the transaction.
    public var encodedBytes: [UInt8] { JSONValue.object(json).encoded() }

    /// Reads an expectation that was stored.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/malformedExpectation``.
    public init(decoding bytes: some Collection<UInt8>) throws(OID4VPVerifierError) {
        let members: JSONObject?
        do {
            members = try JSONValue(parsing: bytes).objectValue
        } catch {
            throw OID4VPVerifierError(.malformedExpectation, "it is not JSON", cause: error)
        }
        guard let members else { throw OID4VPVerifierError(.malformedExpectation, "it is no object") }
        try self.init(json: members)
    }

    var json: JSONObject {
        var members: JSONObject = [
            "version": .string(version.rawValue), "mode": .string(mode.text), "nonce": .string(nonce),
        ]
        if let clientID { members["clientID"] = .string(clientID) }
        if let state { members["state"] = .string(state) }
        switch channel {
        case .address(let address): members["address"] = .string(address)
        case .digitalCredentials(let origins): members["origins"] = .array(origins.map { .string($0) })
        }
        switch query {
        case .dcql(let query): members["dcql"] = query.json
        case .definition(let definition): members["definition"] = definition.json
        }
        if !transactionData.isEmpty {
            members["transactionData"] = .array(transactionData.map { .string($0) })
        }
        if let decryption {
            members["key"] = .object(decryption.key.membersWithSecrets())
            members["algorithm"] = .string(decryption.algorithm.rawValue)
            members["encryptions"] = .array(decryption.encryptions.map { .string($0.rawValue) })
        }
        return members
    }

    init(json members: JSONObject) throws(OID4VPVerifierError) {
        func text(_ name: String) throws(OID4VPVerifierError) -> String {
            guard let text = members[name]?.stringValue else { throw Self.malformed(name) }
            return text
        }
        guard let version = OpenID4VPVersion(rawValue: try text("version")) else { throw Self.malformed("version") }
        self.init(
            version: version,
            clientID: members["clientID"]?.stringValue,
            channel: try Self.channel(members),
            mode: ResponseMode(try text("mode")),
            nonce: try text("nonce"),
            state: members["state"]?.stringValue,
            query: try Self.query(members),
            transactionData: try Self.texts("transactionData", members),
            decryption: try Self.decryption(members)
        )
        guard clientID != nil || channel.origins != nil else {
            throw Self.malformed("clientID")
        }
    }

    private static func malformed(_ name: String, _ cause: (any Error)? = nil) -> OID4VPVerifierError {
        OID4VPVerifierError(.malformedExpectation, "the member is missing or malformed", path: [name], cause: cause)
    }

    private static func texts(_ name: String, _ members: JSONObject) throws(OID4VPVerifierError) -> [String] {
        guard let value = members[name] else { return [] }
        guard let elements = value.arrayValue else { throw malformed(name) }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw malformed(name) }
        return texts
    }

    private static func channel(_ members: JSONObject) throws(OID4VPVerifierError) -> Channel {
        if let address = members["address"]?.stringValue { return .address(address) }
        let origins = try texts("origins", members)
        guard !origins.isEmpty else { throw malformed("origins") }
        return .digitalCredentials(origins: origins)
    }

    private static func query(_ members: JSONObject) throws(OID4VPVerifierError) -> Query {
        do throws(OID4VPError) {
            if let json = members["dcql"] {
                return .dcql(try DCQLQuery(json: json, options: DCQLReadingOptions(limits: .stored)))
            }
            if let json = members["definition"] {
                return .definition(try PresentationDefinition(json: json, limits: .stored))
            }
        } catch {
            throw malformed("query", error)
        }
        throw malformed("query")
    }

    private static func decryption(_ members: JSONObject) throws(OID4VPVerifierError) -> ResponseDecryption? {
        guard let key = members["key"] else { return nil }
        guard let algorithm = members["algorithm"]?.stringValue else { throw malformed("algorithm") }
        do {
            return try ResponseDecryption(
                key: try JWK(json: key),
                algorithm: JWEAlgorithm(rawValue: algorithm),
                encryptions: try texts("encryptions", members).map { JWEEncryption(rawValue: $0) }
            )
        } catch {
            throw malformed("key", error)
        }
    }
}

extension ResponseExpectation.Channel {
    /// The origins of the Digital Credentials API; nil for an address.
    var origins: [String]? {
        if case .digitalCredentials(let origins) = self { origins } else { nil }
    }

    /// The address; nil for the Digital Credentials API.
    var address: String? {
        if case .address(let address) = self { address } else { nil }
    }
}
