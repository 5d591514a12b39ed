public import CryptoCore

/// The schemes of a store as far as they can be read.
///
/// A scheme is left out if its files are damaged, such as after a loss of power, or break a rule. ``SchemeUpdater`` fetches it
/// anew.
public struct SchemeReading: Sendable {
    /// The schemes that were read, each verified.
    public let snapshot: SchemeSnapshot
    /// The reasons that the others were not read.
    public let errors: [SchemeIdentifier: IRMAError]
}

extension SchemeStore {
    /// Reads all schemes that are kept, and leaves out those that cannot be read.
    ///
    /// Of two schemes of requestors with a host name in common, the one whose name comes first is read.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys; a scheme without one is verified with the key that is kept with it.
    ///   - former: The schemes that stay in the place of those that cannot be read; nil for none.
    ///   - limits: The limits of a scheme.
    /// - Throws: The errors of ``schemes()`` and ``SchemeSnapshot``.
    public func reading(
        pinned keys: [SchemeIdentifier: PublicKey] = [:],
        keeping former: SchemeSnapshot? = nil,
        limits: SchemeLimits = .default
    ) async throws(IRMAError) -> SchemeReading {
        var schemes: [IRMAScheme] = []
        var requestorSchemes: [RequestorScheme] = []
        var errors: [SchemeIdentifier: IRMAError] = [:]
        for id in try await self.schemes() {
            do throws(IRMAError) {
                guard let files = try await verifiedFiles(of: id, pinned: keys[id], limits: limits) else { continue }
                if files.files[RequestorScheme.descriptionPath] != nil {
                    let scheme = try RequestorScheme(files)
                    try scheme.requireOtherHostNames(than: requestorSchemes)
                    requestorSchemes.append(scheme)
                } else {
                    schemes.append(try IRMAScheme(files, limits: limits))
                }
            } catch {
                errors[id] = error
                if let scheme = former?.schemes[id] { schemes.append(scheme) }
                if let scheme = former?.requestorSchemes[id],
                    (try? scheme.requireOtherHostNames(than: requestorSchemes)) != nil
                {
                    requestorSchemes.append(scheme)
                }
            }
        }
        let snapshot = try SchemeSnapshot(schemes, requestorSchemes: requestorSchemes)
        return SchemeReading(snapshot: snapshot, errors: errors)
    }

    /// A snapshot of all schemes that are kept, each verified.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys; a scheme without one is verified with the key that is kept with it.
    ///   - limits: The limits of a scheme.
    /// - Throws: The errors of ``verifiedFiles(of:pinned:limits:)``, ``IRMAScheme``, ``RequestorScheme`` and
    ///   ``SchemeSnapshot``; ``reading(pinned:keeping:limits:)`` goes on without the schemes that have them.
    public func snapshot(
        pinned keys: [SchemeIdentifier: PublicKey] = [:],
        limits: SchemeLimits = .default
    ) async throws(IRMAError) -> SchemeSnapshot {
        let reading = try await reading(pinned: keys, limits: limits)
        if let first = reading.errors.min(by: { $0.key < $1.key }) { throw first.value }
        return reading.snapshot
    }
}
