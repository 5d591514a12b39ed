import CBORKit

/// A map whose keys are labels: header parameters, the members of a key, claims.
///
/// A map that was read keeps its bytes and decodes a value only on demand. A map that was built is written
/// deterministically (RFC 8949 section 4.2.1).
struct LabelMap: Sendable {
    private var storage: Storage

    private enum Storage: Sendable {
        /// A map as received, whose keys are known to be labels, no two of them equal.
        case received(CBORMapView)
        /// A map of one integer, in its only deterministic form: the usual protected bucket, which takes no memory so.
        case integer(label: Int64, value: Int64)
        /// A map that was built, or received and then changed.
        case built([Entry])
    }

    private struct Entry: Sendable {
        let label: COSELabel
        let content: Content
    }

    private enum Content: Sendable {
        case received(CBORView)
        case built(CBOR)
    }

    /// An empty map.
    init() {
        storage = .built([])
    }

    /// A map of one integer.
    init(integer value: Int64, for label: Int64) {
        storage = .integer(label: label, value: value)
    }

    /// Reads a map.
    init(cbor view: CBORView, as name: String, maximumCount: Int = .max) throws(COSEError) {
        let map = try reading(name) { () throws(CBORError) in try view.map() }
        let count = maximumCount == .max ? 0 : map.count
        guard count <= maximumCount else {
            throw COSEError(.limitExceeded, "\(count) parameters, over \(maximumCount)", path: [name])
        }
        try map.requireLabels()
        storage = .received(map)
    }

    var labels: [COSELabel] {
        switch storage {
        case .received(let map): map.labels.map(\.label)
        case .integer(let label, _): [.integer(label)]
        case .built(let entries): entries.map(\.label)
        }
    }

    var count: Int {
        switch storage {
        case .received(let map): map.count
        case .integer: 1
        case .built(let entries): entries.count
        }
    }

    var isEmpty: Bool { count == 0 }

    func contains(_ label: COSELabel) -> Bool {
        switch storage {
        case .received(let map): map.contains(label)
        case .integer(let only, _): label == .integer(only)
        case .built(let entries): entries.contains { $0.label == label }
        }
    }

    /// The value of a label; setting nil removes it.
    subscript(label: COSELabel) -> CBOR? {
        get {
            switch content(label) {
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
        var entries = entries
        let index = entries.firstIndex { $0.label == label }
        switch (index, content) {
        case (let index?, let content?): entries[index] = Entry(label: label, content: content)
        case (let index?, nil): entries.remove(at: index)
        case (nil, let content?): entries.append(Entry(label: label, content: content))
        case (nil, nil): break
        }
        storage = .built(entries)
    }

    /// The integer of a map that holds nothing else, if that is its label.
    func onlyInteger(_ label: COSELabel) -> Int64? {
        guard case .integer(let only, let value) = storage, label == .integer(only) else { return nil }
        return value
    }

    /// The value of a label as a view, or nil if it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    func view(_ label: COSELabel) throws(COSEError) -> CBORView? {
        switch content(label) {
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

    private func content(_ label: COSELabel) -> Content? {
        switch storage {
        case .received(let map): map.value(for: label).map { .received($0) }
        case .integer(let only, let value): label == .integer(only) ? .built(.integer(value)) : nil
        case .built(let entries): entries.first { $0.label == label }?.content
        }
    }

    private var entries: [Entry] {
        switch storage {
        case .received(let map): map.labels.map { Entry(label: $0.label, content: .received($0.value)) }
        case .integer(let label, let value): [Entry(label: .integer(label), content: .built(.integer(value)))]
        case .built(let entries): entries
        }
    }

    /// The first label that occurs in another map too, or nil.
    func firstLabel(sharedWith other: LabelMap) -> COSELabel? {
        guard !other.isEmpty else { return nil }
        guard count * other.count > 64 else { return firstLabel { other.contains($0) } }
        let others = Set(other.labels)
        return firstLabel { others.contains($0) }
    }

    private func firstLabel(where isWanted: (COSELabel) -> Bool) -> COSELabel? {
        switch storage {
        case .received(let map):
            for (key, _) in map {
                if let label = try? COSELabel(cbor: key), isWanted(label) { return label }
            }
            return nil
        case .integer(let label, _): return isWanted(.integer(label)) ? .integer(label) : nil
        case .built(let entries): return entries.first { isWanted($0.label) }?.label
        }
    }

    /// The map in CBOR: as received, or encoded deterministically.
    var encoded: [UInt8] {
        if case .received(let map) = storage { return [UInt8](map.view.encodedBytes) }
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.finish()
    }

    /// Writes the map: as received, or encoded deterministically.
    func encode(to writer: inout CBORWriter) {
        if case .received(let map) = storage {
            writer.write(encoded: map.view.encodedBytes)
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
