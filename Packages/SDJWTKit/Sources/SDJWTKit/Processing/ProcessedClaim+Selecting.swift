import JSONKit

extension ProcessedClaim {
    /// A value that a path selects, and the Disclosures of all values that it is inside of and of itself.
    struct Selection {
        let claim: ProcessedClaim
        let disclosures: [Int]

        func appending(_ child: ProcessedClaim) -> Selection {
            Selection(claim: child, disclosures: disclosures + (child.disclosure.map { [$0] } ?? []))
        }
    }

    /// The values that a path selects in the credential as it was issued: elements that are withheld count.
    ///
    /// Below an element that is withheld a path selects nothing.
    func selections(at path: ClaimPath) throws(SDJWTError) -> [Selection] {
        var selected = [Selection(claim: self, disclosures: [])]
        for component in path.components {
            var next: [Selection] = []
            for selection in selected where !selection.claim.isWithheld {
                next += try selection.claim.children(at: component, path: path).map(selection.appending)
            }
            selected = next
        }
        return selected
    }

    private func children(at component: ClaimPath.Component, path: ClaimPath) throws(SDJWTError) -> [ProcessedClaim] {
        switch (component, kind) {
        case (.name(let name), .object): return member(name).map { [$0] } ?? []
        case (.index(let index), .array):
            let elements = elements
            return elements.indices.contains(index) ? [elements[index]] : []
        case (.all, .array): return elements
        default: throw component.mismatch(kind ?? .null, path: path)
        }
    }
}
