extension DistinguishedName {
    /// Returns `true` if two names are the same by the rules of RFC 5280, 7.1.
    ///
    /// The relative names must be as many and in the same order, their attributes the same in any order. Text is
    /// compared as Unicode, whatever its string type, without regard to case, to white space at its ends and to the
    /// amount of white space inside. Canonically equivalent characters are the same; the compatibility mappings of
    /// RFC 4518 are not made, so that names which differ only in such characters stay different. Values that are no
    /// text are compared by their bytes.
    public func matches(_ other: DistinguishedName) -> Bool {
        encodedBytes == other.encodedBytes || normalized == other.normalized
    }

    /// A form that is equal for names that match.
    var normalized: [Set<NormalizedAttribute>] {
        relativeNames.map { Set($0.map(NormalizedAttribute.init)) }
    }

    /// Returns `true` if this name begins with the relative names of another name, and so lies in its subtree (RFC
    /// 5280, 4.2.1.10).
    func isWithinSubtree(of other: DistinguishedName) -> Bool {
        normalized.starts(with: other.normalized)
    }
}
