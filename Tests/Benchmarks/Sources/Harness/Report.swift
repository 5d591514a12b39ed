/// Prints figures as a table for people or as one JSON object a line.
public struct Report: Sendable {
    private let asJSON: Bool

    /// Makes a report; the table's head is printed at once.
    public init(asJSON: Bool) {
        self.asJSON = asJSON
        if !asJSON { print(row("layer", "value", "bar", "", "measured")) }
    }

    /// Prints one figure.
    public func add(_ figure: Figure) {
        asJSON ? printObject(figure) : printRow(figure)
    }

    private func printRow(_ figure: Figure) {
        let verdict =
            switch figure.holds {
            case true?: "holds"
            case false?: "MISSED"
            case nil: ""
            }
        let value = "\(rounded(figure.value)) \(figure.unit)"
        print(row(figure.layer, value, figure.bar?.description ?? "", verdict, figure.name))
    }

    private func printObject(_ figure: Figure) {
        let bar = figure.bar.map { "\($0.number)" } ?? "null"
        let holds = figure.holds.map { "\($0)" } ?? "null"
        print(
            #"{"layer":"\#(figure.layer)","name":"\#(figure.name)","value":\#(rounded(figure.value)),"#
                + #""unit":"\#(figure.unit)","bar":\#(bar),"holds":\#(holds)}"#
        )
    }

    private func row(_ layer: String, _ value: String, _ bar: String, _ verdict: String, _ name: String) -> String {
        "\(pad(layer, 11)) \(pad(value, 14)) \(pad(bar, 8)) \(pad(verdict, 7)) \(name)"
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func rounded(_ value: Double) -> Double {
        (value * 1000).rounded() / 1000
    }
}
