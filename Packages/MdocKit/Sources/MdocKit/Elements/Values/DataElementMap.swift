import CBORKit

/// The members of a map within the value of a data element.
struct DataElementMap {
    private let map: CBORMapView
    private let options: MdocReadingOptions

    /// Takes a map.
    init(_ view: CBORView, _ options: MdocReadingOptions) throws(MdocError) {
        map = try cbor(view.map())
        self.options = options
    }

    /// A member that must be there.
    func required<Value: DataElementConvertible>(_ name: String) throws(MdocError) -> Value {
        try Value(dataElement: try cbor(map.required(name)), options: options)
    }

    /// A member that may be there.
    func optional<Value: DataElementConvertible>(_ name: String) throws(MdocError) -> Value? {
        guard let view = map.value(forKey: name) else { return nil }
        return try Value(dataElement: view, options: options)
    }
}
