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
    /// The entity's statement about itself.
    let configuration: EntityStatement
    /// The trust anchor's statement about itself; nil for a chain without it.
    let anchorConfiguration: EntityStatement?

    /// The trust anchor.
    var anchor: EntityIdentifier { path[path.count - 1] }

    init(_ links: ChainLinks, metadata: JSONObject, expirationTime: Date) {
        id = links.path[0]
        path = links.path
        configuration = links.configuration
        anchorConfiguration = links.anchorConfiguration
        self.metadata = metadata
        keys = links.configuration.content.keys
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
