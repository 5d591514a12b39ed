public import CBORKit

/// One bucket of header parameters: a map from labels to values (RFC 9052 section 3).
///
/// A bucket that was read keeps its bytes and looks into them only when a parameter is asked for. A bucket that is built
/// is written deterministically (RFC 8949 section 4.2.1):
///
/// ```swift
/// let unprotected: COSEHeaderMap = [.kid: .bytes([0x31, 0x31])]
/// ```
public struct COSEHeaderMap: Sendable {
    private var entries: [Entry]

    /// The bytes of the map as received; nil for a map that was built or changed.
    private var received: ArraySlice<UInt8>?

    private struct Entry: Sendable {
        let label: COSELabel
        let value: Content
    }

    private enum Content: Sendable {
        case received(CBORView)
        case built(CBOR)
    }

    /// A bucket without parameters.
    public init() {
        entries = []
    }

    /// Reads a map of header parameters.
    ///
    /// - Throws: ``COSEError/Code/malformed`` for another item than a map, ``COSEError/Code/invalidLabel`` and
    ///   ``COSEError/Code/duplicateLabel`` for its labels.
    public init(cbor view: CBORView) throws(COSEError) {
        let map = try reading("header_map") { () throws(CBORError) in try view.map() }
        entries = []
        entries.reserveCapacity(min(map.count, 16))
        for (key, value) in map {
            entries.append(Entry(label: try COSELabel(cbor: key), value: .received(value)))
        }
        received = view.encodedBytes
        try requireUniqueLabels()
    }

    /// The labels in the order in which they stand.
    public var labels: [COSELabel] { entries.map(\.label) }

    /// The number of parameters.
    public var count: Int { entries.count }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a parameter; setting nil removes it.
    ///
    /// A bucket that was read and then changed loses its received bytes: it is another bucket.
    public subscript(label: COSELabel) -> CBOR? {
        get {
            switch entry(label)?.value {
            case .received(let view): view.value()
            case .built(let value): value
            case nil: nil
            }
        }
        set {
            received = nil
            let index = entries.firstIndex { $0.label == label }
            switch (index, newValue) {
            case (let index?, let value?): entries[index] = Entry(label: label, value: .built(value))
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(label: label, value: .built(value)))
            case (nil, nil): break
            }
        }
    }

    /// Whether a parameter is there.
    public func contains(_ label: COSELabel) -> Bool {
        entry(label) != nil
    }

    private func entry(_ label: COSELabel) -> Entry? {
        entries.first { $0.label == label }
    }

    private func requireUniqueLabels() throws(COSEError) {
        guard entries.count > 1 else { return }
        var seen = Set<COSELabel>(minimumCapacity: entries.count)
        for entry in entries where !seen.insert(entry.label).inserted {
            throw COSEError(.duplicateLabel, "label \(entry.label) occurs twice", path: ["\(entry.label)"])
        }
    }

    /// The first label that occurs in another bucket too, or nil.
    func firstLabel(sharedWith other: COSEHeaderMap) -> COSELabel? {
        if entries.count * other.entries.count <= 64 {
            return entries.first { other.contains($0.label) }?.label
        }
        let labels = Set(other.entries.map(\.label))
        return entries.first { labels.contains($0.label) }?.label
    }
}

extension COSEHeaderMap: ExpressibleByDictionaryLiteral {
    /// A bucket of the given parameters; of a label that is given twice, the last value stays.
    public init(dictionaryLiteral elements: (COSELabel, CBOR)...) {
        self.init()
        for (label, value) in elements { self[label] = value }
    }
}

extension COSEHeaderMap: COSEHeaderParameters {
    /// The value of a parameter, or nil where it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    public func parameter(_ label: COSELabel) throws(COSEError) -> CBORView? {
        switch entry(label)?.value {
        case .received(let view): return view
        case .built(let value): return try Self.view(of: value, label: label)
        case nil: return nil
        }
    }

    private static func view(of value: CBOR, label: COSELabel) throws(COSEError) -> CBORView {
        do {
            return try CBORDocument(value.encoded()).root
        } catch {
            throw COSEError(.invalidHeader, "the value cannot be encoded", path: ["\(label)"], cause: error)
        }
    }
}

extension COSEHeaderMap {
    /// The bytes of the map: as received, or encoded deterministically.
    public var encodedBytes: [UInt8] {
        if let received { return [UInt8](received) }
        var writer = CBORWriter()
        writeDeterministically(to: &writer)
        return writer.finish()
    }

    /// Writes the map: as received, or encoded deterministically.
    public func encode(to writer: inout CBORWriter) {
        if let received {
            writer.write(encoded: received)
        } else {
            writeDeterministically(to: &writer)
        }
    }

    private func writeDeterministically(to writer: inout CBORWriter) {
        let sorted = entries.map { (key: $0.label.cbor.encoded(), value: $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        writer.beginMap(count: sorted.count)
        for (key, value) in sorted {
            writer.write(encoded: key)
            switch value {
            case .received(let view): writer.write(encoded: view.encodedBytes)
            case .built(let value): writer.write(value)
            }
        }
    }
}
