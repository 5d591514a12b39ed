import CryptoCore
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs the server's statements: accounts' tokens and answers to challenges; reads its own tokens.
struct AccountTokens: Sendable {
    private let signer: any Signer
    private let keyID: String
    private let issuer: String
    private let lifetime: Int64

    /// The limits of a token: the reference's have less than 1 KiB.
    private static let limits = JOSELimits(size: 8192, depth: 8, values: 64)

    init(signer: any Signer, keyID: UInt32, issuer: String, lifetime: Int64) {
        self.signer = signer
        self.keyID = String(keyID)
        self.issuer = issuer
        self.lifetime = lifetime
    }

    /// The token of an account.
    func token(for id: SecretBytes, at now: Int64) async throws -> String {
        let claims = KeyshareAccountClaims(
            issuer: issuer,
            issuedAt: now,
            expiresAt: now + lifetime,
            tokenID: id.withUnsafeBytes { Array($0) }
        )
        return try await sign(claims.json())
    }

    /// The server's answer to a challenge.
    func token(with response: KeyshareResponse, at now: Int64) async throws -> String {
        try await sign(KeyshareProofClaims(response, issuer: issuer, issuedAt: now).json())
    }

    /// The identifier of the account that a token was made for; nil for a token that is not the server's, or is over.
    func accountID(in token: String, at time: Date) -> SecretBytes? {
        guard token.utf8.count <= Self.limits.size, let token = try? JWT(compact: token, limits: Self.limits) else {
            return nil
        }
        let policy = JWTClaimsPolicy(
            issuers: [ExactText(issuer)],
            audience: .any,
            requiredClaims: ["exp"],
            clockSkew: 0
        )
        let verification = token.verify(
            with: .publicKey(signer.publicKey),
            policy: [.rs256],
            claims: policy,
            at: time,
            limits: Self.limits
        )
        guard let verified = verification.verified,
            let claims = try? KeyshareAccountClaims(json: .object(verified.claims.members)),
            // The last second of a token is the one before its expiry, as in the reference.
            Double(claims.expiresAt) > time.timeIntervalSince1970
        else { return nil }
        return SecretBytes(claims.tokenID)
    }

    /// Signs claims in the reference's order of members.
    private func sign(_ claims: JSONValue) async throws -> String {
        let members = (claims.objectValue ?? JSONObject()).sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        let header: JOSEHeader = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
        let token = try await JWT.sign(JWTClaims(JSONObject(members)), header: header, with: signer)
        return try token.compactSerialization()
    }
}
