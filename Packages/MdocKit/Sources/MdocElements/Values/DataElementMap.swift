import CBORKit
import MdocKit

/// The members of a map within the value of a data element.
struct DataElementMap {
    private let map: CBORMapView

    /// Takes a map.
    init(_ view: CBORView) throws(MdocError) {
        map = try cbor(view.map())
    }

    /// A member that must be there.
    func required<Value: DataElementConvertible>(
        _ name: String,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> Value {
        try Value(dataElement: try cbor(map.required(name)), reading: &reading)
    }

    /// A member that may be there.
    func optional<Value: DataElementConvertible>(
        _ name: String,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> Value? {
        guard let view = map.value(forKey: name) else { return nil }
        return try Value(dataElement: view, reading: &reading)
    }
}
