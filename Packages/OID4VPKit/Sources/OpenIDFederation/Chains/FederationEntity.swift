public import JOSEKit
public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An entity whose trust chain is verified, with the metadata that the federation's policies leave (OpenID Federation 1.0,
/// section 10).
///
/// Only the verification of a ``TrustChain`` makes values of this type.
public struct FederationEntity: Sendable {
    /// The identifier.
    public let id: EntityIdentifier
    /// The entities of the chain: the entity itself, its superiors, and the trust anchor at the end.
    public let path: [EntityIdentifier]
    /// The metadata by the types of the entity, under the constraints and policies of all superiors.
    public let metadata: JSONObject
    /// The keys with which the entity signs statements and key sets; the metadata hold the keys of each protocol.
    public let keys: JWKSet
    /// The time at which the first statement of the chain expires.
    public let expirationTime: Date

    init(path: [EntityIdentifier], metadata: JSONObject, keys: JWKSet, expirationTime: Date) {
        id = path[0]
        self.path = path
        self.metadata = metadata
        self.keys = keys
        self.expirationTime = expirationTime
    }

    /// The metadata of one type.
    ///
    /// - Throws: ``FederationError/Code/missingEntityType``.
    public func metadata(of type: String) throws(FederationError) -> JSONObject {
        guard let metadata = metadata[type]?.objectValue else {
            throw FederationError(.missingEntityType, "\(id) is no \(type)", path: ["metadata"])
        }
        return metadata
    }
}
