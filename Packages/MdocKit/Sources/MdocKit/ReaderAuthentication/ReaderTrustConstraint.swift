public import CBORKit

/// A condition under which the readers below an authority are trusted (F.3.2.3).
///
/// RICALs state them; the standard defines none; ecosystems do, as members of `extensions`.
public struct ReaderTrustConstraint: Sendable {
    /// The members of `extensions`, to be understood all.
    public let extensions: CBORMapView?
    /// The names of the members beside `extensions`, which are reserved and have no meaning yet.
    public let reservedMembers: [String]

    /// Indicates whether there is nothing in it to understand, so that it holds for every reader.
    public var isEmpty: Bool { reservedMembers.isEmpty && extensions?.isEmpty ?? true }
}

extension ReaderTrustConstraint: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        extensions = try map.value(forKey: "extensions").map { (view) throws(MdocError) in try cbor(view.map()) }
        var names: [String] = []
        for (key, _) in map {
            let name = try cbor(key.text())
            if name != "extensions" { names.append(name) }
        }
        reservedMembers = names
    }
}
