#if Server
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import JOSEKit
import JSONKit
import SDJWTKit

/// The SD-JWT copies of credentials whose issuers have a key and a certificate for them.
///
/// A copy is an SD-JWT VC with the IRMA credential type as `vct`, every attribute as a claim that the holder may withhold, and
/// the certificates in its header.
struct CertifiedCopyIssuers: SDJWTCopyIssuer {
    /// The key of an issuer, with the certificates that vouch for it.
    struct Identity {
        let signer: SoftwareSigner
        /// The certificates, the key's own first.
        let chain: [Certificate]
        /// The issuer's URL (`iss`).
        let url: String
    }

    let identities: [IssuerIdentifier: Identity]

    func check(_ credential: CredentialRequest, at time: Date) throws(IRMAServerError) {
        _ = try builder(of: credential, by: try identity(for: credential, at: time), at: time)
    }

    func copies(
        of credential: CredentialRequest,
        boundTo keys: [JWK],
        at time: Date
    ) async throws(IRMAServerError) -> [String] {
        let identity = try identity(for: credential, at: time)
        var builder = try builder(of: credential, by: identity, at: time)
        var header = JOSEHeader()
        header.setCertificateChain(identity.chain.map(\.derBytes))
        var copies: [String] = []
        for key in keys {
            builder.holderKey = key
            do throws(SDJWTError) {
                copies.append(try await builder.sign(with: identity.signer, header: header).compactSerialization())
            } catch {
                throw Self.refusal(error.message, cause: error)
            }
        }
        return copies
    }

    private func identity(for credential: CredentialRequest, at time: Date) throws(IRMAServerError) -> Identity {
        let issuer = credential.credential.issuer
        guard let identity = identities[issuer] else {
            throw Self.refusal("the issuer \(issuer) has no certificate for them")
        }
        guard let certificate = identity.chain.first, certificate.isValid(at: time) else {
            throw Self.refusal("the certificate of the issuer \(issuer) is not valid now")
        }
        return identity
    }

    private func builder(
        of credential: CredentialRequest,
        by identity: Identity,
        at time: Date
    ) throws(IRMAServerError) -> SDJWTBuilder {
        let now = Int64(time.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(identity.url), "iat": .number(JSONNumber(Self.startOfDay(now))),
            "exp": .number(JSONNumber(Self.expiry(credential.validity ?? now, at: now))),
        ]
        let attributes = credential.attributes.sorted { $0.key < $1.key }
        for (name, value) in attributes {
            guard !claims.contains(name.text) else {
                throw Self.refusal("the token has a claim \"\(name)\" of its own")
            }
            claims[name.text] = .string(value)
        }
        var builder = SDJWTBuilder(credentialType: credential.credential.text, claims: claims)
        do throws(SDJWTError) {
            for (name, _) in attributes { try builder.conceal([.name(name.text)]) }
        } catch {
            throw Self.refusal(error.message, cause: error)
        }
        return builder
    }

    private static let secondsOfDay: Int64 = 86_400

    private static func startOfDay(_ time: Int64) -> Int64 { time - time % secondsOfDay }

    /// An expiry without its time of day, by which verifiers could tell that two copies are of one credential; as it is where
    /// the copy would not last a day.
    private static func expiry(_ time: Int64, at now: Int64) -> Int64 {
        let day = startOfDay(time)
        return day - secondsOfDay >= now ? day : time
    }

    private static func refusal(_ message: String, cause: (any Error)? = nil) -> IRMAServerError {
        IRMAServerError(.copyRefused, message, cause: cause)
    }
}
#endif
