package import JOSEKit
public import JSONKit

extension WalletMetadata {
    /// Reads metadata as a verifier receives them, of any version; unknown members and names are ignored.
    ///
    /// - Throws: ``OID4VPError/Code/invalidMetadata``, ``OID4VPError/Code/limitExceeded``.
    public init(_ members: JSONObject, limits: RequestLimits = .default) throws(OID4VPError) {
        let reader = MemberReader(members, .invalidMetadata, at: ["wallet_metadata"])
        func texts(_ name: String) throws(OID4VPError) -> [ExactText]? {
            try reader.texts(name, atMost: limits.entries)?.map { ExactText($0) }
        }
        guard let supported = reader[Name.formats]?.objectValue, !supported.isEmpty else {
            throw reader.invalid(Name.formats, "it must be an object that is not empty")
        }
        guard supported.count <= limits.entries else {
            throw OID4VPError(.limitExceeded, "there are more than \(limits.entries) formats", path: [Name.formats])
        }
        var formats: [CredentialFormat: FormatAlgorithms] = [:]
        for (name, value) in supported {
            let inner = try MemberReader(value, .invalidMetadata, at: reader.path(Name.formats) + [name])
            formats[CredentialFormat(name)] = try FormatAlgorithms(inner, .ofWallets, limits)
        }
        self.init(formats: formats)
        readsDefinitionsByReference = try reader.bool(Name.references, default: true)
        // A wallet of several versions has both, and a rule may have a name in one of them alone.
        let names = [try texts(Name.prefixes), try texts(Name.schemes)].compactMap { $0 }
        if !names.isEmpty {
            clientRules = names.joined().compactMap { ClientIdentifier.Rule(metadata: $0) }
                .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        requestAlgorithms = try texts(Name.requestAlgorithms)?.map { JWSAlgorithm(rawValue: $0.text) }
        requestEncryptionAlgorithms = try texts(Name.requestEncryptionAlgorithms)?
            .map { JWEAlgorithm(rawValue: $0.text) }
        requestEncryptions = try texts(Name.requestEncryptions)?.map { JWEEncryption(rawValue: $0.text) }
        encryptionAlgorithms = try texts(Name.encryptionAlgorithms)?.map { JWEAlgorithm(rawValue: $0.text) }
        encryptions = try texts(Name.encryptions)?.map { JWEEncryption(rawValue: $0.text) }
        responseTypes = try texts(Name.responseTypes)
        responseModes = try texts(Name.responseModes)?.map { ResponseMode($0.text) }
        issuer = try reader.text("issuer")
        authorizationEndpoint = try reader.text("authorization_endpoint")
        keys = try reader["jwks"].map { value throws(OID4VPError) in
            try JWKSet(public: value, at: reader.path("jwks"))
        }
    }

    /// Reads the parameter `wallet_metadata` of a POST to the request URI.
    ///
    /// - Throws: ``OID4VPError/Code/invalidMetadata``, ``OID4VPError/Code/limitExceeded``.
    public init(parsing text: some StringProtocol, limits: RequestLimits = .default) throws(OID4VPError) {
        guard text.utf8.count <= limits.documentSize else {
            throw OID4VPError(.limitExceeded, "the metadata have more than \(limits.documentSize) bytes")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: text, limits: limits.json)
        } catch {
            throw OID4VPError(.invalidMetadata, "it is not JSON", path: ["wallet_metadata"], cause: error)
        }
        let reader = try MemberReader(value, .invalidMetadata, at: ["wallet_metadata"])
        try self.init(reader.members, limits: limits)
    }
}

extension FormatAlgorithms.Names {
    /// The members in the metadata of wallets, under their names of any version.
    fileprivate static let ofWallets = Self(
        algorithms: ["alg_values", "sd-jwt_alg_values", "issuerauth_alg_values", "alg_values_supported", "alg"],
        holderAlgorithms: ["kb-jwt_alg_values", "deviceauth_alg_values"],
        proofTypes: ["proof_type_values", "proof_type"],
        cryptosuites: ["cryptosuite_values"]
    )
}

extension JWKSet {
    /// Reads a set of public keys; those of unknown types are left out.
    ///
    /// - Throws: ``OID4VPError/Code/invalidMetadata``, also for a key with private members;
    ///   ``OID4VPError/Code/limitExceeded``.
    package init(public value: JSONValue, at path: [String]) throws(OID4VPError) {
        let elements = value["keys"]?.arrayValue ?? []
        guard !elements.contains(where: { key in Self.privateMembers.contains { key[$0] != nil } }) else {
            throw OID4VPError(.invalidMetadata, "a key has private members", path: path)
        }
        do throws(JOSEError) {
            try self.init(json: value)
        } catch {
            throw OID4VPError(
                error.code == .limitExceeded ? .limitExceeded : .invalidMetadata,
                "the key set cannot be read",
                path: path,
                cause: error
            )
        }
    }

    /// The private members of all types of keys (RFC 7518, section 6).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]
}
