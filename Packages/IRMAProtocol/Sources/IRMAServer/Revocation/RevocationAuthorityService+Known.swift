import CredentialServing
public import IRMAMessages
import IdemixCore

extension RevocationAuthorityService {
    /// The newest accumulators of a type that another authority's server had at the last visit; none of this server's own types,
    /// whose accumulators are signed anew for every session that needs it.
    public func knownAccumulators(of type: CredentialTypeIdentifier) async -> [UInt: KnownAccumulator] {
        guard !isAuthority(for: type), let visited = remote?.lastVisit(of: type, at: clock.now()) else { return [:] }
        var known: [UInt: KnownAccumulator] = [:]
        for counter in (try? await records.keyCounters(of: type)) ?? [] {
            let update = try? await records.accumulator(of: type, keyCounter: counter, lastEvents: 1)
            guard let accumulator = try? update?.signedAccumulator.unverifiedAccumulator() else { continue }
            known[counter] = KnownAccumulator(index: accumulator.index, updated: visited)
        }
        return known
    }
}

extension SessionServer {
    /// The accumulators that the server knows for the types in a session's request.
    func knownAccumulators(for record: SessionRecord) async -> KnownAccumulators {
        var known: KnownAccumulators = [:]
        for type in (record.request.parameters.revocation?.demands ?? [:]).keys {
            known[type] = await services.revocation?.knownAccumulators(of: type)
        }
        return known
    }
}
