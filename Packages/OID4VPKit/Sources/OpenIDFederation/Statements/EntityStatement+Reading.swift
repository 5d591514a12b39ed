import CredentialTransport
import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EntityStatement.Content {
    /// Reads the claims (section 3.2).
    init(_ claims: JWTClaims, limits: JOSELimits) throws(FederationError) {
        let reader = ClaimReader(claims.members)
        issuer = try Self.identifier("iss", reader)
        subject = try Self.identifier("sub", reader)
        let isConfiguration = issuer == subject
        try Self.requireKnownExtensions(reader)
        try Self.requirePlaces(of: reader.members, isConfiguration: isConfiguration)
        _ = try Self.time("iat", claims)
        expirationTime = try Self.time("exp", claims)
        keys = try Self.keys(reader, limits)
        metadata = try Self.metadata(reader)
        authorityHints = try reader.identifiers("authority_hints") ?? []
        _ = try reader.identifiers("trust_anchor_hints")
        try reader.checkTrustMarks(limits)
        if let source = reader.members["source_endpoint"] {
            guard let text = source.stringValue, (try? HTTPURL(text)) != nil else {
                throw reader.invalid("source_endpoint", "it must be a URL")
            }
        }
        metadataPolicy = try reader.object("metadata_policy").map { value throws(FederationError) in
            do throws(FederationError) {
                return try MetadataPolicy(value)
            } catch {
                throw error.inside("metadata_policy")
            }
        }
        constraints = try reader.object("constraints").map { value throws(FederationError) in
            do throws(FederationError) {
                return try TrustChainConstraints(value)
            } catch {
                throw error.inside("constraints")
            }
        }
    }

    private static func identifier(_ name: String, _ reader: ClaimReader) throws(FederationError) -> EntityIdentifier {
        let text = try reader.requiredText(name)
        do throws(FederationError) {
            return try EntityIdentifier(text)
        } catch {
            throw reader.invalid(name, "it is no identifier of an entity", cause: error)
        }
    }

    private static func time(_ name: String, _ claims: JWTClaims) throws(FederationError) -> Date {
        let time = try reading(.malformed, "the claim is no time") { () throws(JOSEError) in try claims.date(name) }
        guard let time else {
            throw FederationError(.malformed, "the claim is missing", path: [name])
        }
        return time
    }

    /// The claims that only one of the two kinds of statement has, beside those of explicit registration, which neither
    /// has.
    private static func requirePlaces(of members: JSONObject, isConfiguration: Bool) throws(FederationError) {
        let foreign =
            isConfiguration
            ? ["constraints", "metadata_policy", "metadata_policy_crit", "source_endpoint"]
            : ["authority_hints", "trust_anchor_hints", "trust_marks", "trust_mark_issuers", "trust_mark_owners"]
        for name in foreign + ["aud", "trust_anchor"] where members.contains(name) {
            let kind = isConfiguration ? "configuration" : "subordinate statement"
            throw FederationError(.malformed, "a \(kind) must not have the claim", path: [name])
        }
    }

    /// Refuses critical claims and policy operators: the standard ones must not be named, and no others are understood.
    private static func requireKnownExtensions(_ reader: ClaimReader) throws(FederationError) {
        for name in ["crit", "metadata_policy_crit"] {
            guard let names = try reader.texts(name) else { continue }
            guard let first = names.first else { throw reader.invalid(name, "it must not be empty") }
            throw FederationError(.unsupportedExtension, "\"\(first)\" is not understood", path: [name])
        }
    }

    private static func keys(_ reader: ClaimReader, _ limits: JOSELimits) throws(FederationError) -> JWKSet {
        guard let value = reader.members["jwks"] else { throw reader.invalid("jwks", "the claim is missing") }
        let keys = try JWKSet(public: value, .malformed, limits)
        var names: Set<ExactText> = []
        for key in keys.keys {
            guard let name = key.keyID, names.insert(ExactText(name)).inserted else {
                throw reader.invalid("jwks", "each key needs an identifier of its own")
            }
        }
        return keys
    }

    private static func metadata(_ reader: ClaimReader) throws(FederationError) -> JSONObject {
        guard let value = try reader.object("metadata"), let types = value.objectValue else { return [:] }
        for (type, parameters) in types {
            guard let parameters = parameters.objectValue else {
                throw reader.inside("metadata").invalid(type, "it must be an object")
            }
            for (name, value) in parameters where value.isNull {
                throw reader.inside("metadata").inside(type).invalid(name, "it must not be null")
            }
        }
        return types
    }
}

extension JWKSet {
    /// Reads a set of public keys.
    ///
    /// - Throws: An error with the code for a set that is malformed, and for one with secrets.
    init(
        public value: JSONValue,
        _ code: FederationError.Code,
        _ limits: JOSELimits = .default
    ) throws(FederationError) {
        self = try reading(code, "the key set cannot be read", at: ["jwks"]) { () throws(JOSEError) in
            try JWKSet(json: value, limits: limits)
        }
        guard !keys.contains(where: \.isSecret) else {
            throw FederationError(code, "a published set holds no secrets", path: ["jwks"])
        }
    }
}
