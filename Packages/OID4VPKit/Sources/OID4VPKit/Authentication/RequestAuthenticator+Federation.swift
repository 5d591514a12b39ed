import CredentialTransport
import JOSEKit
import JSONKit
import OID4VPMessages
import OpenIDFederation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A client that a federation vouches for, with its metadata as verifier.
struct FederatedClient {
    /// The metadata, with the keys by value.
    let metadata: JSONObject
    /// The keys that sign requests and that responses are encrypted to.
    let keys: JWKSet

    /// The type of an entity that asks for credentials.
    static let entityType = "openid_credential_verifier"

    /// Returns `true` for an address that the metadata list for a response mode; without a list the signature vouches for it.
    func isEntitled(to address: String, as mode: ResponseMode) -> Bool {
        let name = mode.address == .redirectURI ? "redirect_uris" : "response_uris"
        guard let listed = metadata[name] else { return true }
        return listed.arrayValue?.contains { $0.stringValue?.hasSameBytes(as: address) == true } == true
    }
}

extension RequestAuthenticator {
    /// The client of a request whose trust chain is verified (section 5.9.3; OpenID Federation 1.0, section 12.1).
    ///
    /// The chain is that of the header or of the parameters, where one of them has it and it verifies, and else the one that
    /// the resolver finds. Where the key of the request is not among the keys of the entity, the entity is asked again.
    func federatedClient(
        _ client: ClientIdentifier,
        _ object: ReceivedObject,
        at time: Date
    ) async throws(CheckFault) -> FederatedClient {
        guard let resolver = policy.federation else {
            throw .failed("unsupportedClientIdentifier", "the wallet trusts no federation")
        }
        let (id, chain, keyID) = try federationParameters(client, object)
        let verification = await resolver.entity(id, given: chain, at: time) { entity in
            guard let keyID, let value = entity.metadata[FederatedClient.entityType]?["jwks"],
                let keys = try? JWKSet(json: value)
            else { return true }
            return !keys.keys(withID: keyID).isEmpty
        }
        let place = "trust_chain"
        switch verification.verdict {
        case .refused(let refusal) where refusal.isUnavailable:
            throw .unavailable(refusal.reason, refusal.message, path: [place] + refusal.path)
        case .refused(let refusal): throw .failed(refusal.reason, refusal.message, path: [place] + refusal.path)
        case .verified(let entity):
            do throws(FederationError) {
                var metadata = try entity.metadata(of: FederatedClient.entityType)
                let keys = try await resolver.keys(of: FederatedClient.entityType, entity, with: keyID, at: time)
                metadata["jwks"] = ["keys": .array(keys.keys.map { .object($0.members) })]
                return FederatedClient(metadata: metadata, keys: keys)
            } catch {
                throw error.code == .retrievalFailed
                    ? .unavailable(.issuerKeyNotFound, error.message, path: [place] + error.path)
                    : error.fault.inside(place)
            }
        }
    }

    private func federationParameters(
        _ client: ClientIdentifier,
        _ object: ReceivedObject
    ) throws(CheckFault) -> (id: EntityIdentifier, chain: TrustChain?, keyID: String?) {
        let limits = JOSELimits(size: options.limits.documentSize, depth: options.limits.depth)
        do throws(FederationError) {
            let value = object.header["trust_chain"] ?? object.claims["trust_chain"]
            let chain = try value.map { value throws(FederationError) in try TrustChain(header: value, limits: limits) }
            let keyID = object.header["kid"]?.stringValue
            return (try EntityIdentifier(client.original), chain, keyID)
        } catch {
            throw error.fault
        }
    }
}
