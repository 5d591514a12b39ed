import CBORKit

/// The elements of a COSE structure, checked for their number, with errors that name the structure and the field.
struct COSEElements {
    private let array: CBORArrayView
    /// The array as received, without a tag.
    let encodedBytes: ArraySlice<UInt8>
    /// Indicates that the array stood in a tag.
    private(set) var isTagged = false

    /// Takes a message apart, tagged with its own tag or untagged.
    init(of type: COSEMessageType, in view: CBORView) throws(COSEError) {
        let count = type.elementCount...type.elementCount
        guard let tag = view.tag else {
            try self.init(of: view, count: count)
            return
        }
        guard tag == type.tag else {
            throw COSEError(.wrongTag, "tag \(tag) instead of \(type.tag)")
        }
        let item = try reading("tag") { () throws(CBORError) in try view.content(ofTag: tag) }
        try self.init(of: item, count: count)
        isTagged = true
    }

    /// Takes a structure apart that has no tag of its own.
    init(of view: CBORView, count: ClosedRange<Int>) throws(COSEError) {
        if let tag = view.tag { throw COSEError(.wrongTag, "unexpected tag \(tag)") }
        guard view.kind == .array else {
            throw COSEError(.malformed, "expected an array, found \(view.kind)")
        }
        array = try reading("array") { () throws(CBORError) in try view.array() }
        encodedBytes = view.encodedBytes
        guard count.contains(array.count) else {
            let expected = count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            throw COSEError(.wrongElementCount, "\(array.count) elements instead of \(expected)")
        }
    }

    /// The number of elements.
    var count: Int { array.count }

    /// The header buckets, which every structure starts with.
    func headers(_ options: COSEReadingOptions) throws(COSEError) -> COSEHeaders {
        try COSEHeaders(protected: element(0), unprotected: element(1), options: options)
    }

    /// A byte string.
    func bytes(_ index: Int, _ field: String) throws(COSEError) -> ArraySlice<UInt8> {
        let view = try element(index)
        return try reading(field) { () throws(CBORError) in try view.bytes() }
    }

    /// A byte string, or nil for null: content that is detached, a recipient without an encrypted key.
    func optionalBytes(_ index: Int, _ field: String) throws(COSEError) -> ArraySlice<UInt8>? {
        try element(index).isNull ? nil : bytes(index, field)
    }

    /// An array of structures, of at least one and at most the given number.
    func list<Value>(
        _ index: Int,
        _ field: String,
        limit: Int,
        _ read: (CBORView) throws(COSEError) -> Value
    ) throws(COSEError) -> [Value] {
        let view = try element(index)
        let items = try reading(field) { () throws(CBORError) in try view.array() }
        return try Self.list(items, field, limit: limit, read)
    }

    /// The structures of an array, of at least one and at most the given number.
    static func list<Value>(
        _ items: CBORArrayView,
        _ field: String,
        limit: Int,
        _ read: (CBORView) throws(COSEError) -> Value
    ) throws(COSEError) -> [Value] {
        guard items.count > 0 else { throw COSEError(.wrongElementCount, "an empty array", path: [field]) }
        guard items.count <= limit else {
            throw COSEError(.limitExceeded, "\(items.count) elements, over \(limit)", path: [field])
        }
        var values: [Value] = []
        values.reserveCapacity(items.count)
        for item in items {
            values.append(try within("\(field)[\(values.count)]") { () throws(COSEError) in try read(item) })
        }
        return values
    }

    private func element(_ index: Int) throws(COSEError) -> CBORView {
        try reading("[\(index)]") { () throws(CBORError) in try array.element(at: index) }
    }
}
