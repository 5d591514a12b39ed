package import CBORKit

/// A structure of the standard that is read from a CBOR item.
package protocol MdocReadable {
    /// Reads the structure.
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError)
}

extension MdocReadable {
    /// Reads a structure that is a whole message, and tells what was tolerated.
    package static func read(
        _ bytes: ArraySlice<UInt8>,
        _ options: consuming MdocReadingOptions
    ) throws(MdocError) -> (structure: Self, deviations: [MdocDeviation]) {
        var reading = Reading(options)
        let structure = try Self(try reading.message(bytes), &reading)
        return (structure, reading.deviations)
    }
}
