from hal import bench


def test_the_clock_gives_three_pulses_of_30_ms_every_half_second() -> None:
    reader = bench.ClockReader(lambda: now_ms * 1_000_000)
    edges, level = [], False
    for now_ms in range(1_000):
        if reader.read(0) != level:
            level = not level
            edges.append(now_ms)
    assert edges == [0, 30, 60, 90, 120, 150, 500, 530, 560, 590, 620, 650]


def test_figures_count_the_trains_that_lay_wholly_in_the_time() -> None:
    figures = bench.in_a_thread(1.2, lambda: None)
    assert figures.coins_given_count >= 1
    assert 0 <= figures.coins_counted_count <= figures.coins_given_count
