import JOSEKit
import JSONKit

/// The statements of a chain that follow from one another, not verified.
struct ChainLinks {
    /// The subject's statement about itself.
    let configuration: EntityStatement
    /// The superiors' statements, that about the subject first.
    let subordinateStatements: [EntityStatement]
    /// The entities of the chain, the subject first.
    let path: [EntityIdentifier]
    /// The anchor's statement about itself at the end, or the only statement; nil for a chain without it.
    let anchorConfiguration: EntityStatement?

    /// The entity at the end of the chain.
    var anchorID: EntityIdentifier { path[path.count - 1] }

    /// Puts the statements of a chain in their places (section 4).
    ///
    /// - Throws: ``FederationError/Code/malformed`` for statements that do not follow from one another, and for a chain that
    ///   passes an entity twice.
    init(_ chain: TrustChain, about subject: EntityIdentifier) throws(FederationError) {
        configuration = chain.statements[0]
        guard configuration.isConfiguration, configuration.unverifiedSubject == subject else {
            throw FederationError(.malformed, "the first statement is not that of \(subject) about itself")
        }
        var above = chain.statements[1...]
        if above.last?.isConfiguration == true { above = above.dropLast() }
        anchorConfiguration = chain.statements.last.flatMap { $0.isConfiguration ? $0 : nil }
        subordinateStatements = Array(above)
        path = [subject] + above.map(\.unverifiedIssuer)
        var seen: Set<EntityIdentifier> = [subject]
        for (index, statement) in above.enumerated() {
            guard statement.unverifiedSubject == path[index] else {
                throw FederationError(.malformed, "it is not about \(path[index])", path: ["statements[\(index + 1)]"])
            }
            guard seen.insert(statement.unverifiedIssuer).inserted else {
                throw FederationError(.malformed, "\(statement.unverifiedIssuer) occurs twice")
            }
        }
        if let last = chain.statements.last, chain.statements.count > 1, last.isConfiguration {
            guard last.unverifiedIssuer == anchorID else {
                throw FederationError(.malformed, "the last configuration is not that of \(anchorID)")
            }
        }
        if let superior = above.first?.unverifiedIssuer, !configuration.content.authorityHints.contains(superior) {
            throw FederationError(.malformed, "\(subject) does not name \(superior) as its superior")
        }
    }

    /// Refuses a chain outside of the constraints that any superior sets (section 6.2).
    func requireConstraints() throws(FederationError) {
        for (index, statement) in subordinateStatements.enumerated() {
            guard let constraints = statement.content.constraints else { continue }
            do throws(FederationError) {
                try constraints.requirePathLength(index)
                for entity in path.prefix(index + 1) { try constraints.requireName(of: entity) }
            } catch {
                throw error.inside("constraints").inside("statements[\(index + 1)]")
            }
        }
    }

    /// The metadata of the subject: its own, those that its superior states for it, and what constraints and policies leave of
    /// them (section 6.1.4).
    func resolvedMetadata() throws(FederationError) -> JSONObject {
        var metadata = configuration.content.metadata
        if let stated = subordinateStatements.first?.content.metadata { metadata = metadata.overridden(by: stated) }
        var policy = MetadataPolicy()
        for statement in subordinateStatements.reversed() {
            if let constraints = statement.content.constraints { metadata = constraints.allowed(in: metadata) }
            if let own = statement.content.metadataPolicy { policy = try policy.merging(own) }
        }
        return try policy.applied(to: metadata)
    }
}

extension JSONObject {
    /// The metadata with the parameters that a superior states, for the types that the entity has (section 3.1.1).
    fileprivate func overridden(by stated: JSONObject) -> JSONObject {
        var result = self
        for (type, parameters) in stated {
            guard var own = self[type]?.objectValue, let parameters = parameters.objectValue else { continue }
            for (name, value) in parameters { own[name] = value }
            result[type] = .object(own)
        }
        return result
    }
}
