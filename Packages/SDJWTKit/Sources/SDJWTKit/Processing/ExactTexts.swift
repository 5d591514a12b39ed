// Names in tokens are compared without any transformation (RFC 7519, section 2; RFC 8259, section 8.3), where Swift's strings
// hold canonically equivalent spellings for equal.

extension Set<String> {
    /// Whether one of the texts has the same UTF-8 bytes.
    func contains(bytesOf text: String) -> Bool {
        firstIndex(of: text).map { self[$0].hasSameBytes(as: text) } ?? false
    }
}

extension Dictionary where Key == String {
    /// The value whose key has the same UTF-8 bytes.
    func value(forBytesOf text: String) -> Value? {
        guard let place = index(forKey: text), self[place].key.hasSameBytes(as: text) else { return nil }
        return self[place].value
    }
}
