import CBORKit

/// A map whose keys are labels: header parameters, the members of a key, claims.
///
/// What was read keeps its bytes and is looked into only when a value is asked for. What is built is written
/// deterministically (RFC 8949 section 4.2.1).
struct LabelMap: Sendable {
    private var entries: [Entry] = []

    /// The bytes of the map as received; nil for a map that was built or changed.
    private var received: ArraySlice<UInt8>?

    private struct Entry: Sendable {
        let label: COSELabel
        let content: Content
    }

    private enum Content: Sendable {
        case received(CBORView)
        case built(CBOR)
    }

    /// An empty map.
    init() {}

    /// Reads a map.
    init(cbor view: CBORView, as name: String) throws(COSEError) {
        let map = try reading(name) { () throws(CBORError) in try view.map() }
        entries.reserveCapacity(min(map.count, 16))
        for (key, value) in map {
            entries.append(Entry(label: try COSELabel(cbor: key), content: .received(value)))
        }
        received = view.encodedBytes
        try requireUniqueLabels()
    }

    var labels: [COSELabel] { entries.map(\.label) }

    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    func contains(_ label: COSELabel) -> Bool {
        entry(label) != nil
    }

    /// The value of a label; setting nil removes it.
    subscript(label: COSELabel) -> CBOR? {
        get {
            switch entry(label)?.content {
            case .received(let view): view.value()
            case .built(let value): value
            case nil: nil
            }
        }
        set {
            set(newValue.map { .built($0) }, for: label)
        }
    }

    /// Sets a label to an item that was read; its bytes are written as they are.
    mutating func set(_ view: CBORView, for label: COSELabel) {
        set(.received(view), for: label)
    }

    private mutating func set(_ content: Content?, for label: COSELabel) {
        received = nil
        let index = entries.firstIndex { $0.label == label }
        switch (index, content) {
        case (let index?, let content?): entries[index] = Entry(label: label, content: content)
        case (let index?, nil): entries.remove(at: index)
        case (nil, let content?): entries.append(Entry(label: label, content: content))
        case (nil, nil): break
        }
    }

    /// The value of a label as a view, or nil where it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    func view(_ label: COSELabel) throws(COSEError) -> CBORView? {
        switch entry(label)?.content {
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

    private func entry(_ label: COSELabel) -> Entry? {
        entries.first { $0.label == label }
    }

    private func requireUniqueLabels() throws(COSEError) {
        if let label = COSELabel.firstRepeated(in: entries, \.label) { throw .repeated(label) }
    }

    /// The first label that occurs in another map too, or nil.
    func firstLabel(sharedWith other: LabelMap) -> COSELabel? {
        if entries.count * other.entries.count <= 64 {
            return entries.first { other.contains($0.label) }?.label
        }
        let labels = Set(other.entries.map(\.label))
        return entries.first { labels.contains($0.label) }?.label
    }

    /// The map in CBOR: as received, or encoded deterministically.
    var encoded: [UInt8] {
        if let received { return [UInt8](received) }
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.finish()
    }

    /// Writes the map: as received, or encoded deterministically.
    func encode(to writer: inout CBORWriter) {
        if let received {
            writer.write(encoded: received)
            return
        }
        let sorted = entries.map { (key: $0.label.cbor.encoded(), content: $0.content) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        writer.beginMap(count: sorted.count)
        for (key, content) in sorted {
            writer.write(encoded: key)
            switch content {
            case .received(let view): writer.write(encoded: view.encodedBytes)
            case .built(let value): writer.write(value)
            }
        }
    }
}
