public import CryptoCore
public import JOSEKit
public import JSONKit

/// Issues SD-JWTs: collects claims, marks those that the holder may hide, and signs (RFC 9901, section 4).
///
/// ```swift
/// var builder = SDJWTBuilder(credentialType: "https://credentials.example/id", claims: [
///     "iss": "https://issuer.example",
///     "given_name": "Erika",
///     "nationalities": ["DE", "NL"],
/// ])
/// try builder.conceal(["given_name"])
/// try builder.conceal(["nationalities", nil])
/// builder.holderKey = holderKey
/// let credential = try await builder.sign(with: issuer)
/// ```
///
/// The order of the digests reveals nothing about the claims. With a random source that repeats, all but the signature
/// repeats.
public struct SDJWTBuilder: Sendable {
    /// The claims, without those that the builder adds.
    public let claims: JSONObject

    /// The claims that the holder must not be able to hide, with all that is inside them.
    ///
    /// By default those that a verifier needs to judge the SD-JWT at all: for a credential the list of SD-JWT VC, else
    /// `iss`, `exp`, `nbf` and `cnf`, and for both `aud` as a whole (RFC 9901, section 9.7).
    public var openClaims: Set<String>

    /// The value of `typ`; nil for none.
    public var type: String?

    /// The hash function of the digests.
    public var hashAlgorithm = SDHashAlgorithm.sha256

    /// The key that the holder proves to have when presenting (`cnf` with `jwk`); nil for an SD-JWT without key binding.
    ///
    /// Its public numbers are written, with `kid`, `use`, `key_ops` and `alg`. Any other member is left out: a holder that hands
    /// over a key must not choose what the issuer signs.
    public var holderKey: JWK?

    /// The number of bytes of each salt, 16 at least.
    public var saltSize = SDJWTDisclosure.recommendedSaltSize

    private var marks = ConcealmentMarks()

    /// The largest number of steps in a path to a claim.
    private static let longestPath = SDJWTLimits.maximumDepth

    /// Starts an SD-JWT.
    ///
    /// - Parameters:
    ///   - type: The value of `typ`, which should name the kind of SD-JWT, such as `example+sd-jwt`.
    ///   - claims: All claims, hidden or not, but for `cnf` where ``holderKey`` is set.
    public init(type: String? = nil, claims: JSONObject) {
        self.type = type
        self.claims = claims
        openClaims = SDJWTProfile.validityClaims
    }

    /// Starts a credential: an SD-JWT VC with the type `dc+sd-jwt`.
    ///
    /// - Parameters:
    ///   - credentialType: The value of `vct`.
    ///   - claims: All other claims, hidden or not, but for `cnf` where ``holderKey`` is set.
    public init(credentialType: String, claims: JSONObject) {
        var claims = claims
        claims["vct"] = .string(credentialType)
        self.init(type: SDJWTProfile.credentialType, claims: claims)
        // SD-JWT VC says nothing of `aud`: RFC 9901 does.
        openClaims = SDJWTProfile.openCredentialClaims.union(["aud"])
    }

    /// Lets the holder hide the claims that a path selects.
    ///
    /// Members of objects, elements of arrays and values inside values that are hidden themselves can all be marked.
    /// - Throws: ``SDJWTError/Code/claimNotFound`` if the path selects nothing, ``SDJWTError/Code/claimPathMismatch``,
    ///   ``SDJWTError/Code/claimNotConcealable`` for the claims in ``openClaims``.
    public mutating func conceal(_ path: ClaimPath) throws(SDJWTError) {
        guard !path.components.isEmpty else {
            throw SDJWTError(.invalidClaimPath, "the claims as a whole cannot be hidden")
        }
        try refuseOpenClaim(path)
        try mark(path) { mark, _ throws(SDJWTError) in mark.isConcealed = true }
    }

    /// Adds decoy digests to the objects and arrays that a path selects, to hide how many claims they have (RFC 9901,
    /// section 4.2.5); the empty path is the top level.
    ///
    /// - Throws: ``SDJWTError/Code/claimNotFound``, ``SDJWTError/Code/claimPathMismatch``,
    ///   ``SDJWTError/Code/invalidValue`` for a negative number.
    public mutating func addDecoys(_ count: Int, at path: ClaimPath = []) throws(SDJWTError) {
        guard (0...1000).contains(count) else {
            throw SDJWTError(.invalidValue, "\(count) is no number of decoys between 0 and 1000")
        }
        if !path.components.isEmpty { try refuseOpenClaim(path) }
        try mark(path) { mark, value throws(SDJWTError) in
            guard value.kind == .object || value.kind == .array else {
                throw SDJWTError(
                    .claimPathMismatch,
                    "decoys go to an object or an array, not to a value of kind \(value.kind)"
                )
            }
            mark.decoys += count
        }
    }

    private mutating func mark(
        _ path: ClaimPath,
        _ change: (inout ConcealmentMarks, JSONValue) throws(SDJWTError) -> Void
    ) throws(SDJWTError) {
        guard path.components.count <= Self.longestPath else {
            throw SDJWTError(.limitExceeded, "the path has more than \(Self.longestPath) steps")
        }
        let count = try marks.mark(path.components[...], in: .object(claims), of: path, change)
        guard count > 0 else { throw SDJWTError(.claimNotFound, "the path \(path) selects nothing") }
    }

    private func refuseOpenClaim(_ path: ClaimPath) throws(SDJWTError) {
        guard case .name(let name) = path.components.first, openClaims.contains(name) else { return }
        // Single recipients may be hidden (RFC 9901, section 9.7).
        if name == "aud", path.components.count > 1 { return }
        throw SDJWTError(.claimNotConcealable, "the claim \"\(name)\" must be visible to everyone")
    }
}

extension SDJWTBuilder {
    /// Draws the salts and prepares the issuer's signature.
    ///
    /// - Parameters:
    ///   - header: The protected header, in which `alg` must be; `typ` is added.
    ///   - random: The source of salts, decoys and their places.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/reservedClaimName`` if a claim has the name `_sd`,
    ///   `_sd_alg` or `...`, ``SDJWTError/Code/invalidClaim`` for a malformed `vct` or `aka_vcts`,
    ///   ``SDJWTError/Code/unsupportedHashAlgorithm``, ``SDJWTError/Code/duplicateClaim`` if both
    ///   claims and ``holderKey`` bring `cnf`, or ``SDJWTError/Code/invalidValue``.
    public func prepare(
        header: JOSEHeader,
        using random: some RandomSource = .system
    ) throws(SDJWTError) -> UnsignedSDJWT {
        try Self.refuseReservedNames(in: claims)
        // Verifiers refuse such types.
        _ = try CredentialTypes(claims)
        var concealment = Concealment(
            hash: try hashAlgorithm.requireHash(),
            saltSize: saltSize,
            using: random
        )
        var payload = try concealment.conceal(claims, marks)
        if !marks.isEmpty || hashAlgorithm != .sha256 {
            payload[ReservedName.hashAlgorithm] = .string(hashAlgorithm.rawValue)
        }
        if let holderKey { payload["cnf"] = try confirmation(holderKey) }
        return try UnsignedSDJWT(payload: payload, header: try typed(header), concealment.disclosures)
    }

    /// Issues the SD-JWT.
    ///
    /// - Parameters:
    ///   - signer: The issuer's key.
    ///   - header: More of the protected header, such as `kid` or `x5c`; `alg` and `typ` are added.
    ///   - random: The source of salts, decoys and their places.
    /// - Throws: As ``prepare(header:using:)``; ``SDJWTError/Code/invalidValue`` also for a certificate of another key in `x5c`;
    ///   ``SDJWTError/Code/signingFailed``.
    public func sign(
        with signer: any Signer,
        header: JOSEHeader = JOSEHeader(),
        using random: some RandomSource = .system
    ) async throws(SDJWTError) -> SDJWT {
        let algorithm = try JWSAlgorithm.of(signer)
        guard !header.contains("alg") else {
            throw SDJWTError(.invalidValue, "alg follows from the signer")
        }
        try Self.requireCertificate(in: header, for: signer.publicKey)
        let header = JOSEHeader(JSONObject([("alg", .string(algorithm.rawValue))] + header.members.map { $0 }))
        let unsigned = try prepare(header: header, using: random)
        return try unsigned.completed(with: try await signer.sdJWTSignature(for: unsigned.bytesToSign))
    }

    /// Refuses a certificate of another key, with which no recipient could verify the signature.
    private static func requireCertificate(in header: JOSEHeader, for key: PublicKey) throws(SDJWTError) {
        guard let chain = try? header.certificateChain(), let encoded = chain.first,
            let certified = try? Certificate(der: encoded).publicKey()
        else { return }
        guard certified == key else {
            throw SDJWTError(.invalidValue, "the certificate is not that of the signer's key", path: ["x5c"])
        }
    }

    private func typed(_ header: JOSEHeader) throws(SDJWTError) -> JOSEHeader {
        guard let type else { return header }
        guard !header.contains("typ") else {
            throw SDJWTError(.invalidValue, "typ is set by the builder")
        }
        var header = header
        header["typ"] = .string(type)
        return header
    }

    private func confirmation(_ key: JWK) throws(SDJWTError) -> JSONValue {
        guard !claims.contains("cnf") else {
            throw SDJWTError(.duplicateClaim, "the claims and the holder's key both bring \"cnf\"")
        }
        guard let key = key.publicJWK else {
            throw SDJWTError(.invalidValue, "a symmetric key cannot bind a credential to a holder", path: ["cnf"])
        }
        return ["jwk": .object(try Self.ownMembers(of: key))]
    }

    /// The members whose values were read when the key was made: any other could hold digests.
    private static func ownMembers(of key: JWK) throws(SDJWTError) -> JSONObject {
        let numbers = try reading(jose: .invalidValue) { () throws(JOSEError) in try JWK(key.publicKey()).members }
        return JSONObject(
            key.members.filter { numbers.contains($0.name) || ["kid", "use", "key_ops", "alg"].contains($0.name) }
        )
    }

    /// Refuses names that a reader would take for digests, wherever they stand.
    private static func refuseReservedNames(in claims: JSONObject) throws(SDJWTError) {
        var pending: [JSONValue] = [.object(claims)]
        while let value = pending.popLast() {
            switch value {
            case .array(let elements): pending += elements
            case .object(let object):
                for (name, value) in object {
                    try ReservedName.refuse(name)
                    guard name != ReservedName.hashAlgorithm else {
                        throw SDJWTError(.reservedClaimName, "the hash function is set by the builder")
                    }
                    pending.append(value)
                }
            default: break
            }
        }
    }
}
