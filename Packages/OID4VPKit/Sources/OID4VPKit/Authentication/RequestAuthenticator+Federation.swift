import CredentialTransport
import JOSEKit
import JSONKit
import OID4VPMessages
import OpenIDFederation
@_spi(Layers) import VerificationCore

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

    /// Returns `true` for an address that the metadata list for a response mode; without any list the signature vouches for it.
    ///
    /// An address for redirects is also one for posted responses (OpenID4VP 1.0, section 8.2).
    func isEntitled(to address: String, as mode: ResponseMode) -> Bool {
        let (redirects, responses) = (metadata["redirect_uris"], metadata["response_uris"])
        guard redirects != nil || responses != nil else { return true }
        let lists = mode.address == .redirectURI ? [redirects] : [redirects, responses]
        return lists.contains { list in
            list?.arrayValue?.contains { $0.stringValue?.hasSameBytes(as: address) == true } == true
        }
    }
}

extension RequestAuthenticator {
    /// The client of a request whose trust chain is verified (section 5.9.3; OpenID Federation 1.0, section 12.1).
    ///
    /// The chain is that of the header or of the parameters, where one of them has it and it verifies, and else the one that
    /// the resolver finds. Where the key of the request is not among the keys of the entity, the entity is asked again.
    ///
    /// - Parameters:
    ///   - searches: The requests that are left for searches; nil for those of one search.
    ///   - areRefused: Pass `true` if none of the kept keys has made the signature, so that the entity is asked again.
    func federatedClient(
        _ client: ClientIdentifier,
        _ object: ReceivedObject,
        _ searches: SearchAllowance?,
        areRefused: Bool = false,
        at time: Date
    ) async throws(CheckFault) -> FederatedClient {
        guard let resolver = policy.federation else {
            throw .failed("unsupportedClientIdentifier", "the wallet trusts no federation")
        }
        let id = try CheckFault.converting { () throws(FederationError) in try EntityIdentifier(client.original) }
        let keyID = try CheckFault.converting { () throws(JOSEError) in try object.header.keyID() }
        let chain = try trustChain(of: object, isRequired: !resolver.fetchesStatements)
        let searches = searches ?? resolver.newAllowance()
        let verification = await resolver.entity(id, given: chain, at: time, within: searches) { entity in
            if areRefused { return false }
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
                let keys = try await resolver.keys(
                    of: FederatedClient.entityType,
                    entity,
                    with: keyID,
                    areRefused: areRefused,
                    at: time,
                    within: searches
                )
                metadata["jwks"] = ["keys": .array(keys.keys.map { .object($0.members) })]
                return FederatedClient(metadata: metadata, keys: keys)
            } catch {
                throw error.code == .retrievalFailed
                    ? .unavailable(.issuerKeyNotFound, error.messageWithCause, path: [place] + error.path)
                    : error.fault.inside(place)
            }
        }
    }

    /// The chain of the header or of the parameters, the first that can be read; nil for none.
    ///
    /// - Parameter isRequired: Indicates that a chain that cannot be read is an error: there is no other.
    private func trustChain(of object: ReceivedObject, isRequired: Bool) throws(CheckFault) -> TrustChain? {
        let limits = JOSELimits(size: options.limits.documentSize, depth: options.limits.depth)
        var fault: CheckFault?
        for value in [object.header["trust_chain"], object.claims["trust_chain"]] {
            guard let value else { continue }
            do throws(FederationError) {
                return try TrustChain(header: value, limits: limits)
            } catch {
                fault = fault ?? error.fault
            }
        }
        if let fault, isRequired { throw fault }
        return nil
    }
}
