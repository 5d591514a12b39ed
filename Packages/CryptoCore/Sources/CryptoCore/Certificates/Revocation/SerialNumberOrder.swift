/// An order of serial numbers to search by: by length, then by octets.
enum SerialNumberOrder {
    static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }
}
