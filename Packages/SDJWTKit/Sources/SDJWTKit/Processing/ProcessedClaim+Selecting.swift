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

    /// The values that a path selects; below an element that is withheld it selects nothing.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - countsWithheld: Indicates that elements are counted as they were issued, the withheld ones and decoys among them;
    ///     otherwise as they stand in the processed payload.
    func selections(at path: ClaimPath, countsWithheld: Bool) throws(SDJWTError) -> [Selection] {
        var selected = [Selection(claim: self, disclosures: [])]
        for component in path.components {
            var next: [Selection] = []
            for selection in selected where !selection.claim.isWithheld {
                let children = try selection.claim.children(at: component, path: path, countsWithheld: countsWithheld)
                next += children.map(selection.appending)
            }
            selected = next
        }
        return selected
    }

    private func children(
        at component: ClaimPath.Component,
        path: ClaimPath,
        countsWithheld: Bool
    ) throws(SDJWTError) -> [ProcessedClaim] {
        switch (component, kind) {
        case (.name(let name), .object): return member(name).map { [$0] } ?? []
        case (.index(let index), .array):
            let elements = countsWithheld ? elements : elements.filter { !$0.isWithheld }
            return elements.indices.contains(index) ? [elements[index]] : []
        case (.all, .array): return elements
        default: throw component.mismatch(kind ?? .null, path: path)
        }
    }
}
