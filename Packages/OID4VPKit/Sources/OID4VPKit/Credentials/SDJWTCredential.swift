import CryptoCore
import JOSEKit
public import JSONKit
public import OID4VPMessages
public import SDJWTKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An SD-JWT VC in a wallet, verified when it was stored.
///
/// ```swift
/// let credential = try SDJWTCredential(name: "pid", sdJWT)
/// let result = query.evaluate(over: [credential], at: now)
/// ```
public struct SDJWTCredential: QueryableCredential {
    /// The name of the credential in the wallet.
    public let credentialName: CredentialName
    /// The credential with all of its Disclosures.
    public let sdJWT: SDJWT
    /// The format: `vc+sd-jwt` for a credential with that `typ`, else `dc+sd-jwt`.
    public let format: CredentialFormat
    /// The `vct`, and the further types of `aka_vcts`.
    public let types: [ExactText]
    /// The processed payload.
    public let claims: JSONObject
    /// Indicates that the credential names a key of the holder (`cnf`), which the wallet has.
    public let isHolderBound: Bool
    /// The key identifiers in the certificates of `x5c`.
    public let authorityKeyIdentifiers: [[UInt8]]
    /// The algorithm of the issuer's signature.
    public let issuerAlgorithms: [ExactText]
    /// The algorithms of the key in `cnf`; nil where the credential does not hold the key.
    public var holderAlgorithms: [ExactText]? {
        guard let confirmation = claims["cnf"], case .key(let jwk)? = try? JWTConfirmation(json: confirmation),
            let key = try? jwk.publicKey()
        else { return nil }
        return JWSAlgorithm.signing(with: key, named: jwk.algorithm).map { ExactText($0.rawValue) }
    }
    /// From `nbf` until `exp`; a claim that is no number of seconds counts as absent.
    public var validity: CredentialValidity { JWTClaims(claims).validity }

    /// Takes a credential.
    ///
    /// - Parameters:
    ///   - name: The name in the wallet.
    ///   - sdJWT: The credential with all of its Disclosures.
    ///   - hasHolderKey: Pass `false` if the wallet lacks the key that the credential names: queries that demand holder binding
    ///     then leave it out.
    /// - Throws: `SDJWTError` if its Disclosures or its header cannot be read.
    public init(name: CredentialName, _ sdJWT: SDJWT, hasHolderKey: Bool = true) throws(SDJWTError) {
        credentialName = name
        self.sdJWT = sdJWT
        claims = try sdJWT.unverifiedPayload().claims
        isHolderBound = hasHolderKey && claims.contains("cnf")
        let further = claims["aka_vcts"]?.arrayValue ?? []
        types = ([claims["vct"]].compactMap { $0 } + further).compactMap(\.stringValue).map(ExactText.init)
        let header: JOSEHeader
        do throws(JOSEError) {
            header = try sdJWT.issuerSignedJWT.unverifiedHeader()
            let chain = try header.certificateChain() ?? []
            authorityKeyIdentifiers = chain.compactMap { der in
                // A certificate that cannot be read vouches for nothing.
                (try? Certificate(der: der))?.authorityKeyIdentifier?.keyIdentifier.map { Array($0) }
            }
            issuerAlgorithms = try header.signatureAlgorithm()?.names ?? []
            format = try header.type()?.lowercased() == "vc+sd-jwt" ? .olderSDJWT : .sdJWT
        } catch {
            throw SDJWTError(
                .malformedJWT,
                "the header cannot be read",
                path: error.path,
                cause: error.withoutPlace
            )
        }
    }
}

extension SDJWTCredential {
    /// The presentation for a match, without a Key Binding JWT: the Disclosures that its claims need, and no others.
    ///
    /// - Throws: `SDJWTError`; with code `claimNotFound` for the match of another credential.
    public func presentation(of match: QueryMatch) throws(SDJWTError) -> SDJWT {
        guard match.credential == credentialName else {
            throw SDJWTError(.claimNotFound, "the match is that of another credential", path: ["SD-JWT"])
        }
        return try sdJWT.presentation(disclosing: match.disclosedPaths)
    }
}

extension JWTClaims {
    /// From `nbf` until `exp`; a claim that is no number of seconds counts as absent.
    package var validity: CredentialValidity {
        CredentialValidity(from: (try? notBefore()) ?? nil, until: (try? expirationTime()) ?? nil)
    }
}

extension PresentationRequest {
    /// The content of the Key Binding JWT for the answer to a query: audience, nonce, and the transactions that name the
    /// query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - audience: The audience of the authenticated request.
    ///   - time: The time.
    /// - Throws: `OID4VPError` with code `invalidTransactionData` where entries permit no common hash function, since a Key
    ///   Binding JWT names one.
    public func keyBinding(
        for query: QueryID,
        audience: String,
        at time: Date
    ) throws(OID4VPError) -> KeyBinding {
        try keyBinding(
            authorizing: transactionData.filter { $0.credentials.contains(query) },
            audience: audience,
            at: time
        )
    }

    /// The content of a Key Binding JWT that authorizes some transactions.
    func keyBinding(
        authorizing entries: [TransactionDataEntry],
        audience: String,
        at time: Date
    ) throws(OID4VPError) -> KeyBinding {
        let hashAlgorithm = try entries.commonHashAlgorithm()
        return KeyBinding(
            audience: audience,
            nonce: nonce,
            issuedAt: time,
            transactionData: entries.isEmpty ? nil : TransactionData(entries.map(\.text), hashAlgorithm: hashAlgorithm)
        )
    }
}

extension [TransactionDataEntry] {
    /// The first hash function that every entry permits; nil where no entry has a list, so that none has to be named.
    fileprivate func commonHashAlgorithm() throws(OID4VPError) -> SDHashAlgorithm? {
        guard let listed = compactMap(\.hashAlgorithms).first else { return nil }
        let common = listed.first { hash in allSatisfy { ($0.hashAlgorithms ?? [.sha256]).contains(hash) } }
        guard let common else {
            throw OID4VPError(.invalidTransactionData, "the transactions permit no common hash function")
        }
        return common
    }
}

extension SDJWTCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String { "\(format) credential of \(types.map(\.description).joined(separator: ", "))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
