import CBORKit
public import StatusListKit

/// Status lists and identifier lists for where there is no network: saved by one checker, loaded by another.
///
/// Nothing in a snapshot is verified; a checker verifies each token when it uses it.
public struct MdocStatusSnapshot: Sendable {
    /// The status lists.
    public var statusLists: StatusListSnapshot
    /// The identifier lists.
    public var identifierLists: IdentifierListSnapshot

    /// A snapshot of lists, by default of none.
    public init(
        statusLists: StatusListSnapshot = StatusListSnapshot(),
        identifierLists: IdentifierListSnapshot = IdentifierListSnapshot()
    ) {
        self.statusLists = statusLists
        self.identifierLists = identifierLists
    }

    /// The snapshot as bytes, for storage: CBOR, `[status lists, identifier lists]`, each as a byte string of its own form.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: 2)
        writer.write(bytes: statusLists.encoded())
        writer.write(bytes: identifierLists.encoded())
        return writer.finish()
    }

    /// Reads a snapshot from storage.
    ///
    /// - Throws: `StatusListError` with code `malformed`, or as for the tokens.
    public init(decoding bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let parts: (ArraySlice<UInt8>, ArraySlice<UInt8>)
        do throws(CBORError) {
            var options = CBORReadingOptions.default
            options.limits = CBORLimits(size: 2 * StatusListSnapshot.maximumSize, depth: 2, items: 4)
            let elements = try CBORDocument(Array(bytes), options: options).root.array(count: 2)
            parts = (try elements.element(at: 0).bytes(), try elements.element(at: 1).bytes())
        } catch {
            throw StatusListError(.malformed, error.message, path: ["snapshot"], cause: error)
        }
        statusLists = try StatusListSnapshot(decoding: parts.0, limits: limits)
        identifierLists = try IdentifierListSnapshot(decoding: parts.1, limits: limits)
    }
}
