extension PresentationSubmission {
    /// The submission with nested places as Presentation Exchange has them, where a tolerance lets others pass.
    ///
    /// A nested path starts at the value around it. Examples of older drafts of OpenID4VP let it start at the whole `vp_token`,
    /// and some wallets nest the very place of a credential without an envelope.
    func withNestedPlaces(
        _ options: ResponseReadingOptions,
        at path: [String],
        _ deviations: inout [Deviation]
    ) -> PresentationSubmission {
        guard options.tolerances.contains(.looseSubmissionPaths) else { return self }
        let read = entries.enumerated().map { place, entry -> Entry in
            let nested = entry.nestedPlaces
            guard nested != entry.nested else { return entry }
            let tolerance = ResponseTolerance.looseSubmissionPaths
            let path = path + ["descriptor_map[\(place)]", "path_nested"]
            deviations.append(Deviation(tolerance.description, at: path, tolerance.finding))
            return Entry(descriptor: entry.descriptor, format: entry.format, path: entry.path, nested: nested)
        }
        return PresentationSubmission(id: id, definition: definition, entries: read)
    }
}

extension PresentationSubmission.Entry {
    /// The nested places as paths from the value around each.
    fileprivate var nestedPlaces: [PresentationSubmission.Place] {
        guard let first = nested.first else { return [] }
        let format = CredentialFormat(format)
        let isSame = CredentialFormat(first.format).credential == format.credential && !format.isEnvelope
        if nested.count == 1, isSame, first.path == "$" || first.path == path { return [] }
        guard path != "$", first.path.hasPrefix(path), [".", "["].contains(first.path.dropFirst(path.count).first)
        else {
            return nested
        }
        let inner = PresentationSubmission.Place(format: first.format, path: "$" + first.path.dropFirst(path.count))
        return [inner] + nested.dropFirst()
    }
}
