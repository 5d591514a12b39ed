import CryptoCore
import JOSEKit
import JSONKit
import OpenIDFederation

extension FuzzTarget {
    /// Statements, policies and trust chains of OpenID Federation.
    package static let federation: [FuzzTarget] = [
        FuzzTarget(name: "federation-statement") { input in
            let statement = try EntityStatement(compact: input)
            let again = try EntityStatement(compact: try statement.compactSerialization())
            require(again.unverifiedIssuer == statement.unverifiedIssuer, "a statement is not read as written")
            require(
                statement.isConfiguration == (statement.unverifiedIssuer == statement.unverifiedSubject),
                "a statement about another is a configuration"
            )
        },
        FuzzTarget(name: "federation-policy") { input in
            // An array of the policies of a superior and its subordinate, and metadata.
            guard let parts = try JSONValue(parsing: input).arrayValue, parts.count == 3,
                let metadata = parts[2].objectValue
            else { return }
            let superior = try MetadataPolicy(parts[0])
            let merged = try superior.merging(MetadataPolicy(parts[1]))
            require(try merged.merging(superior) == merged, "a policy restricts what it has restricted before")
            let resolved = try merged.applied(to: metadata)
            require(try merged.applied(to: resolved) == resolved, "metadata change when a policy is applied again")
            require(Set(resolved.names) == Set(metadata.names), "a policy changes the types of an entity")
        },
        FuzzTarget(name: "federation-chain") { input in
            let chain = try TrustChain(header: try JSONValue(parsing: input))
            let subject = chain.statements[0].unverifiedSubject
            let keys = JWKSet([try JWK(FuzzKeys.key(1).publicKey, keyID: "f1")])
            for statement in chain.statements {
                let policy = FederationPolicy(
                    anchors: [FederationTrustAnchor(id: statement.unverifiedIssuer, keys: keys)]
                )
                let verification = chain.verify(about: subject, policy: policy, at: FuzzKeys.time)
                require(verification.verified == nil, "a chain verifies that no anchor has signed")
            }
        },
    ]
}
